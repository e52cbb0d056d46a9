import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import Input from '@cloudscape-design/components/input';
import Select from '@cloudscape-design/components/select';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Table, { type TableProps } from '@cloudscape-design/components/table';
import { useState } from 'react';
import type { ServiceClient } from '../../../client/index.ts';
import type { Role } from '../../../contract/roles.ts';
import { useApi } from '../../base/api.ts';
import { roleNames, useCaller, useHasRole } from '../../base/caller.tsx';
import { collectPages } from '../../base/paging.ts';
import { useLoad } from '../../base/use-load.ts';
import { splitProblem } from '../../ui/field-problems.ts';
import { DecisionModal } from '../../ui/modals.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { Ago } from '../../ui/text.tsx';
import { useAction } from '../../ui/use-action.ts';

export type ApiKey = Awaited<ReturnType<ServiceClient['listApiKeys']>>['data'][number];

export function ApiKeysPanel() {
  const { client } = useApi();
  const seesAll = useHasRole('super_admin');
  const { data, problem, reload } = useLoad(['api-keys'], (signal) =>
    collectPages((page) => client.listApiKeys(page, { signal })),
  );
  const [open, setOpen] = useState<'create' | ApiKey>();
  const [fresh, setFresh] = useState<string>();
  const close = () => setOpen(undefined);
  return (
    <SpaceBetween size="m">
      {problem !== undefined && <ProblemView problem={problem} onRetry={reload} />}
      {fresh !== undefined && <FreshKey text={fresh} onDismiss={() => setFresh(undefined)} />}
      <Table
        items={data?.items ?? []}
        trackBy="id"
        loading={!data && problem === undefined}
        loadingText="Loading API keys"
        columnDefinitions={createColumns(seesAll, setOpen)}
        ariaLabels={{ tableLabel: 'API keys' }}
        header={
          <Header
            variant="h2"
            {...(data ? { counter: `(${data.total})` } : {})}
            description={`Let scripts call the API on ${seesAll ? 'behalf of their owners' : 'your behalf'}.`}
            actions={<Button onClick={() => setOpen('create')}>Create API key</Button>}
          >
            API keys
          </Header>
        }
        empty={<Box textAlign="center">No API keys.</Box>}
      />
      {open === 'create' && (
        <CreateKeyModal
          onClose={close}
          onMade={(key) => {
            setFresh(key);
            close();
            reload();
          }}
        />
      )}
      {open !== undefined && open !== 'create' && (
        <RevokeKeyModal
          apiKey={open}
          onClose={close}
          onRevoked={() => {
            close();
            reload();
          }}
        />
      )}
    </SpaceBetween>
  );
}

/** The key exists only in the memory of this page. */
function FreshKey({ text, onDismiss }: { text: string; onDismiss(): void }) {
  return (
    <Alert type="warning" header="Copy your API key" dismissible dismissAriaLabel="Dismiss" onDismiss={onDismiss}>
      <SpaceBetween size="xs">
        <Box>Anyone with this key can act on your behalf. You cannot view it again.</Box>
        <span className="wrapping" data-testid="api-key">
          <CopyToClipboard
            variant="inline"
            copyButtonAriaLabel="Copy API key"
            copySuccessText="Copied"
            copyErrorText="Could not copy"
            textToCopy={text}
          />
        </span>
      </SpaceBetween>
    </Alert>
  );
}

const createColumns = (
  seesAll: boolean,
  onRevoke: (key: ApiKey) => void,
): readonly TableProps.ColumnDefinition<ApiKey>[] => [
  { id: 'name', header: 'Name', isRowHeader: true, minWidth: 160, cell: ({ name }) => name },
  { id: 'role', header: 'Role', minWidth: 110, cell: ({ role }) => roleNames[role] },
  ...(seesAll ? [{ id: 'owner', header: 'Owner', minWidth: 180, cell: ({ owner }: ApiKey) => owner }] : []),
  { id: 'created', header: 'Created', minWidth: 120, cell: ({ created_at }) => <Ago at={created_at} /> },
  {
    id: 'used',
    header: 'Last used',
    minWidth: 120,
    cell: ({ last_used_at }) => (last_used_at === null ? 'Never' : <Ago at={last_used_at} />),
  },
  {
    id: 'revoke',
    header: 'Actions',
    minWidth: 100,
    cell: (key) => (
      <Button variant="inline-link" ariaLabel={`Revoke ${key.name}`} onClick={() => onRevoke(key)}>
        Revoke
      </Button>
    ),
  },
];

interface CreateKeyModalProps {
  onClose(): void;
  onMade(key: string): void;
}

/** Lowest first: a user can grant their own role and lower ones. */
const roles = Object.keys(roleNames) as Role[];

export function CreateKeyModal({ onClose, onMade }: CreateKeyModalProps) {
  const { client } = useApi();
  const held = useCaller().data?.roles ?? [];
  const grantable = roles.slice(0, 1 + Math.max(...held.map((role) => roles.indexOf(role))));
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('viewer');
  const action = useAction();
  const { byField, rest } = splitProblem(action.problem, (field) => field === 'name' || field === 'role');
  const options = grantable.map((value) => ({ value, label: roleNames[value] }));
  const create = () =>
    action.run(async () => {
      onMade((await client.createApiKey({ name, role })).key);
    });
  return (
    <DecisionModal
      title="Create API key"
      confirmText="Create key"
      onConfirm={create}
      busy={action.busy}
      disabled={name.trim() === ''}
      dismissText="Cancel"
      onDismiss={onClose}
    >
      {rest !== undefined && <ProblemView problem={rest} />}
      <FormField label="Name" description="What this key is used for." errorText={byField.name}>
        <Input value={name} onChange={({ detail }) => setName(detail.value)} />
      </FormField>
      <FormField label="Role" description="Choose the least privileged role that works." errorText={byField.role}>
        <Select
          selectedOption={options.find(({ value }) => value === role) ?? null}
          options={options}
          onChange={({ detail }) => setRole(detail.selectedOption.value as Role)}
        />
      </FormField>
    </DecisionModal>
  );
}

interface RevokeKeyModalProps {
  apiKey: ApiKey;
  onClose(): void;
  onRevoked(): void;
}

export function RevokeKeyModal({ apiKey, onClose, onRevoked }: RevokeKeyModalProps) {
  const { client } = useApi();
  const action = useAction();
  const revoke = () =>
    action.run(async () => {
      await client.deleteApiKey({ id: apiKey.id });
      onRevoked();
    });
  return (
    <DecisionModal
      title={`Revoke ${apiKey.name}?`}
      confirmText="Revoke"
      onConfirm={revoke}
      busy={action.busy}
      dismissText="Cancel"
      onDismiss={onClose}
    >
      {action.problem !== undefined && <ProblemView problem={action.problem} />}
      <Box>
        The key stops working immediately. Access tokens issued with it expire within five minutes. You cannot undo this
        action.
      </Box>
    </DecisionModal>
  );
}
