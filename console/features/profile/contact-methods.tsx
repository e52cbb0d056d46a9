import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import Input from '@cloudscape-design/components/input';
import Select from '@cloudscape-design/components/select';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import Table, { type TableProps } from '@cloudscape-design/components/table';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ServiceClient } from '../../../client/index.ts';
import type { ContactKind } from '../../../contract/contact-kinds.ts';
import { useApi } from '../../base/api.ts';
import { useLoad } from '../../base/use-load.ts';
import { splitProblem } from '../../ui/field-problems.ts';
import { ActionModal, DecisionModal } from '../../ui/modals.tsx';
import { notify } from '../../ui/notices.ts';
import { ProblemView } from '../../ui/problem-view.tsx';
import { Ago } from '../../ui/text.tsx';
import { useAction } from '../../ui/use-action.ts';

export type ContactMethod = Awaited<ReturnType<ServiceClient['getContactMethods']>>['contact_methods'][number];

const kinds: Readonly<Record<ContactKind, { name: string; address: string; example: string }>> = {
  email: { name: 'E-mail', address: 'Address', example: 'ada@example.org' },
  sms: { name: 'SMS', address: 'Phone number in international form', example: '+4915112345678' },
  slack: { name: 'Slack', address: 'URL of an incoming webhook', example: 'https://hooks.slack.com/services/…' },
  teams: { name: 'Teams', address: 'URL of an incoming webhook', example: 'https://….webhook.office.com/…' },
  ntfy: { name: 'ntfy', address: 'URL of your topic', example: 'https://ntfy.sh/my-secret-topic' },
};

export function formatMethod({ kind, address, label }: ContactMethod): string {
  return label === null ? `${kinds[kind].name} ${address}` : `${label} (${kinds[kind].name} ${address})`;
}

export function useContactMethods() {
  const { client } = useApi();
  return useLoad(['contact-methods'], (signal) => client.getContactMethods({}, { signal }));
}

type Open = { what: 'add' } | { what: 'verify' | 'delete'; method: ContactMethod };

export function ContactMethodsPanel() {
  const { client } = useApi();
  const queries = useQueryClient();
  const { data, problem, reload } = useContactMethods();
  const action = useAction();
  const [open, setOpen] = useState<Open>();
  const changed = () => {
    void queries.invalidateQueries({ queryKey: ['contact-methods'] });
    void queries.invalidateQueries({ queryKey: ['notification-rules'] });
  };
  const close = () => {
    setOpen(undefined);
    changed();
  };
  const test = (send: () => Promise<unknown>, content: string) =>
    action.run(async () => {
      await send();
      notify({ type: 'success', content });
      changed();
    });
  const testMethod = (method: ContactMethod) =>
    test(() => client.testContactMethod({ id: method.id }), `A test message to ${method.address} is on its way.`);
  return (
    <SpaceBetween size="m">
      {problem !== undefined && <ProblemView problem={problem} onRetry={reload} />}
      {action.problem !== undefined && <ProblemView problem={action.problem} />}
      <Table
        items={data?.contact_methods ?? []}
        trackBy="id"
        loading={!data && problem === undefined}
        loadingText="Loading contact methods"
        columnDefinitions={createColumns(setOpen, testMethod)}
        ariaLabels={{ tableLabel: 'Contact methods' }}
        wrapLines
        header={
          <Header
            variant="h2"
            description="Where pages and notifications reach you outside the console."
            actions={
              <SpaceBetween direction="horizontal" size="xs">
                <Button
                  loading={action.busy}
                  onClick={() => test(() => client.testNotificationRules(), 'A test page is on its way.')}
                >
                  Send me a test page
                </Button>
                <Button onClick={() => setOpen({ what: 'add' })}>Add contact method</Button>
              </SpaceBetween>
            }
          >
            Contact methods
          </Header>
        }
        empty={<Box textAlign="center">No contact methods.</Box>}
      />
      {open?.what === 'add' && data && (
        <AddModal
          available={data.available_kinds}
          onClose={close}
          onAdded={(method) => {
            changed();
            setOpen(method.is_verified ? undefined : { what: 'verify', method });
          }}
        />
      )}
      {open?.what === 'verify' && <VerifyModal method={open.method} onClose={close} />}
      {open?.what === 'delete' && (
        <ActionModal
          title={`Delete ${open.method.address}?`}
          confirmText="Delete"
          run={() => client.deleteContactMethod({ id: open.method.id }).then(() => undefined)}
          onClose={close}
        >
          <Box>Pages and notifications are no longer sent there.</Box>
        </ActionModal>
      )}
    </SpaceBetween>
  );
}

const createColumns = (
  onOpen: (open: Open) => void,
  onTest: (method: ContactMethod) => void,
): readonly TableProps.ColumnDefinition<ContactMethod>[] => [
  {
    id: 'address',
    header: 'Contact method',
    isRowHeader: true,
    minWidth: 170,
    cell: (method) => <span className="wrapping">{formatMethod(method)}</span>,
  },
  { id: 'status', header: 'Status', minWidth: 150, cell: (method) => <Status method={method} /> },
  {
    id: 'last',
    header: 'Last message',
    minWidth: 130,
    cell: ({ last_delivery: last }) =>
      last === null ? (
        '–'
      ) : (
        <StatusIndicator type={last.outcome === 'sent' ? 'success' : 'error'}>
          {last.outcome === 'sent' ? 'Sent' : `Failed: ${last.error}`} <Ago at={last.at} />
        </StatusIndicator>
      ),
  },
  {
    id: 'actions',
    header: 'Actions',
    minWidth: 150,
    cell: (method) => (
      <SpaceBetween direction="horizontal" size="s">
        {method.is_verified ? (
          <Button variant="inline-link" ariaLabel={`Test ${method.address}`} onClick={() => onTest(method)}>
            Test
          </Button>
        ) : (
          <Button
            variant="inline-link"
            ariaLabel={`Verify ${method.address}`}
            onClick={() => onOpen({ what: 'verify', method })}
          >
            Verify
          </Button>
        )}
        {!method.is_account && (
          <Button
            variant="inline-link"
            ariaLabel={`Delete ${method.address}`}
            onClick={() => onOpen({ what: 'delete', method })}
          >
            Delete
          </Button>
        )}
      </SpaceBetween>
    ),
  },
];

function Status({ method }: { method: ContactMethod }) {
  if (!method.is_verified) return <StatusIndicator type="pending">Not verified</StatusIndicator>;
  return <StatusIndicator type="success">{method.is_account ? 'Your account' : 'Ready'}</StatusIndicator>;
}

interface AddModalProps {
  available: readonly ContactKind[];
  onClose(): void;
  onAdded(method: ContactMethod): void;
}

function AddModal({ available, onClose, onAdded }: AddModalProps) {
  const { client } = useApi();
  const [kind, setKind] = useState<ContactKind>(available[0] ?? 'slack');
  const [address, setAddress] = useState('');
  const [label, setLabel] = useState('');
  const action = useAction();
  const { byField, rest } = splitProblem(action.problem, (field) => ['kind', 'address', 'label'].includes(field));
  const options = available.map((value) => ({ value, label: kinds[value].name }));
  const add = () =>
    action.run(async () =>
      onAdded(await client.createContactMethod({ kind, address: address.trim(), label: label.trim() || null })),
    );
  return (
    <DecisionModal
      title="Add contact method"
      confirmText="Add"
      onConfirm={add}
      busy={action.busy}
      disabled={address.trim() === ''}
      dismissText="Cancel"
      onDismiss={onClose}
    >
      {rest !== undefined && <ProblemView problem={rest} />}
      <FormField label="Kind" errorText={byField.kind}>
        <Select
          selectedOption={options.find(({ value }) => value === kind) ?? null}
          options={options}
          onChange={({ detail }) => setKind(detail.selectedOption.value as ContactKind)}
        />
      </FormField>
      <FormField label={kinds[kind].address} errorText={byField.address}>
        <Input
          value={address}
          placeholder={kinds[kind].example}
          type={kind === 'email' ? 'email' : 'text'}
          inputMode={kind === 'sms' ? 'tel' : kind === 'email' ? 'email' : 'url'}
          onChange={({ detail }) => setAddress(detail.value)}
        />
      </FormField>
      <FormField label="Name (optional)" errorText={byField.label}>
        <Input value={label} onChange={({ detail }) => setLabel(detail.value)} />
      </FormField>
    </DecisionModal>
  );
}

function VerifyModal({ method, onClose }: { method: ContactMethod; onClose(): void }) {
  const { client } = useApi();
  const [code, setCode] = useState('');
  const action = useAction();
  const { byField, rest } = splitProblem(action.problem, (field) => field === 'code');
  const verify = () =>
    action.run(async () => {
      await client.verifyContactMethod({ id: method.id }, { code: code.trim() });
      onClose();
    });
  const resend = () =>
    action.run(async () => {
      await client.sendContactCode({ id: method.id });
      notify({ type: 'success', content: `A new code was sent to ${method.address}.` });
    });
  return (
    <DecisionModal
      title={`Verify ${method.address}`}
      confirmText="Verify"
      onConfirm={verify}
      busy={action.busy}
      disabled={code.trim() === ''}
      dismissText="Later"
      onDismiss={onClose}
    >
      {rest !== undefined && <ProblemView problem={rest} />}
      <FormField
        label="Code"
        description={`The six digits that were sent to ${method.address}. They are valid for 10 minutes.`}
        errorText={byField.code}
      >
        <Input value={code} inputMode="numeric" onChange={({ detail }) => setCode(detail.value)} />
      </FormField>
      <Button onClick={resend} disabled={action.busy}>
        Send a new code
      </Button>
    </DecisionModal>
  );
}
