import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ServiceClient } from '../../../client/index.ts';
import type { ContactKind } from '../../../contract/contact-kinds.ts';
import { useApi } from '../../base/api.ts';
import { useLoad } from '../../base/use-load.ts';
import { splitProblem } from '../../ui/field-problems.ts';
import {
  Box,
  Button,
  type Column,
  FormField,
  Header,
  Input,
  Row,
  Select,
  Stack,
  Status,
  Table,
} from '../../ui/kit/index.ts';
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
    <Stack gap="m">
      {problem !== undefined && <ProblemView problem={problem} onRetry={reload} />}
      {action.problem !== undefined && <ProblemView problem={action.problem} />}
      <Table
        items={data?.contact_methods ?? (problem === undefined ? undefined : [])}
        trackBy="id"
        columns={createColumns(setOpen, testMethod)}
        label="Contact methods"
        header={
          <Header
            description="Where pages and notifications reach you outside the console."
            actions={
              <Row>
                <Button
                  loading={action.busy}
                  onClick={() => test(() => client.testNotificationRules(), 'A test page is on its way.')}
                >
                  Send me a test page
                </Button>
                <Button onClick={() => setOpen({ what: 'add' })}>Add contact method</Button>
              </Row>
            }
          >
            Contact methods
          </Header>
        }
        empty="No contact methods."
      />
      {open?.what === 'add' && data && (
        <AddModal
          available={data.available_kinds}
          // Its code may have been asked for meanwhile.
          onClose={() => setOpen((now) => (now?.what === 'add' ? undefined : now))}
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
          run={() => client.deleteContactMethod({ id: open.method.id })}
          onClose={close}
        >
          <Box>Pages and notifications are no longer sent there.</Box>
        </ActionModal>
      )}
    </Stack>
  );
}

const createColumns = (
  onOpen: (open: Open) => void,
  onTest: (method: ContactMethod) => void,
): readonly Column<ContactMethod>[] => [
  {
    id: 'address',
    header: 'Contact method',
    isRowHeader: true,
    minWidth: 170,
    cell: (method) => <span className="wrapping">{formatMethod(method)}</span>,
  },
  { id: 'status', header: 'Status', minWidth: 150, cell: (method) => <MethodStatus method={method} /> },
  {
    id: 'last',
    header: 'Last message',
    minWidth: 130,
    cell: ({ last_delivery: last }) =>
      last === null ? (
        '–'
      ) : (
        <Status type={last.outcome === 'sent' ? 'success' : 'error'}>
          {last.outcome === 'sent' ? 'Sent' : `Failed: ${last.error}`} <Ago at={last.at} />
        </Status>
      ),
  },
  {
    id: 'actions',
    header: 'Actions',
    minWidth: 150,
    cell: (method) => (
      <Row gap="s">
        {method.is_verified ? (
          <Button variant="inline" ariaLabel={`Test ${method.address}`} onClick={() => onTest(method)}>
            Test
          </Button>
        ) : (
          <Button
            variant="inline"
            ariaLabel={`Verify ${method.address}`}
            onClick={() => onOpen({ what: 'verify', method })}
          >
            Verify
          </Button>
        )}
        {!method.is_account && (
          <Button
            variant="inline"
            ariaLabel={`Delete ${method.address}`}
            onClick={() => onOpen({ what: 'delete', method })}
          >
            Delete
          </Button>
        )}
      </Row>
    ),
  },
];

function MethodStatus({ method }: { method: ContactMethod }) {
  if (!method.is_verified) return <Status type="pending">Not verified</Status>;
  return <Status type="success">{method.is_account ? 'Your account' : 'Ready'}</Status>;
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
  const options = available.map((value) => ({ value, label: kinds[value].name }));
  const add = async () =>
    onAdded(await client.createContactMethod({ kind, address: address.trim(), label: label.trim() || null }));
  return (
    <ActionModal
      title="Add contact method"
      confirmText="Add"
      fields={['kind', 'address', 'label']}
      disabled={address.trim() === ''}
      run={add}
      onClose={onClose}
    >
      {(problems) => (
        <>
          <FormField label="Kind" errorText={problems.kind}>
            <Select value={kind} options={options} onChange={(value) => setKind(value as ContactKind)} />
          </FormField>
          <FormField label={kinds[kind].address} errorText={problems.address}>
            <Input
              value={address}
              placeholder={kinds[kind].example}
              type={kind === 'email' ? 'email' : 'text'}
              inputMode={kind === 'sms' ? 'tel' : kind === 'email' ? 'email' : 'url'}
              onChange={setAddress}
            />
          </FormField>
          <FormField label="Name (optional)" errorText={problems.label}>
            <Input value={label} onChange={setLabel} />
          </FormField>
        </>
      )}
    </ActionModal>
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
      problem={rest}
    >
      <FormField
        label="Code"
        description={`The six digits that were sent to ${method.address}. They are valid for 10 minutes.`}
        errorText={byField.code}
      >
        <Input value={code} inputMode="numeric" onChange={setCode} />
      </FormField>
      <Button onClick={resend} disabled={action.busy}>
        Send a new code
      </Button>
    </DecisionModal>
  );
}
