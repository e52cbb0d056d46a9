import { useState } from 'react';
import type { ServiceClient } from '../../../client/index.ts';
import type { Role } from '../../../contract/roles.ts';
import { useApi } from '../../base/api.ts';
import { roleNames, useCaller, useHasRole } from '../../base/caller.tsx';
import { collectPages } from '../../base/paging.ts';
import { useLoad } from '../../base/use-load.ts';
import {
  Alert,
  Box,
  Button,
  type Column,
  CopyButton,
  FormField,
  Header,
  Input,
  Select,
  Stack,
  Table,
} from '../../ui/kit/index.ts';
import { ActionModal } from '../../ui/modals.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { Ago } from '../../ui/text.tsx';

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
    <Stack gap="m">
      {problem !== undefined && <ProblemView problem={problem} onRetry={reload} />}
      {fresh !== undefined && <FreshKey text={fresh} onDismiss={() => setFresh(undefined)} />}
      <Table
        items={data?.items ?? (problem === undefined ? undefined : [])}
        trackBy="id"
        columns={createColumns(seesAll, setOpen)}
        label="API keys"
        header={
          <Header
            counter={data && `(${data.total})`}
            description={`Let scripts call the API on ${seesAll ? 'behalf of their owners' : 'your behalf'}.`}
            actions={<Button onClick={() => setOpen('create')}>Create API key</Button>}
          >
            API keys
          </Header>
        }
        empty="No API keys."
      />
      {open === 'create' && (
        <CreateKeyModal
          onClose={close}
          onMade={(key) => {
            setFresh(key);
            reload();
          }}
        />
      )}
      {open !== undefined && open !== 'create' && (
        <ActionModal
          title={`Revoke ${open.name}?`}
          confirmText="Revoke"
          run={() => client.deleteApiKey({ id: open.id }).then(reload)}
          onClose={close}
        >
          The key stops working immediately. Access tokens issued with it expire within five minutes. You cannot undo
          this action.
        </ActionModal>
      )}
    </Stack>
  );
}

/** The key exists only in the memory of this page. */
function FreshKey({ text, onDismiss }: { text: string; onDismiss(): void }) {
  return (
    <Alert type="warning" header="Copy your API key" onDismiss={onDismiss}>
      <Stack gap="xs">
        <Box>Anyone with this key can act on your behalf. You cannot view it again.</Box>
        <span className="wrapping" data-testid="api-key">
          <CopyButton isValueShown label="Copy API key" value={text} />
        </span>
      </Stack>
    </Alert>
  );
}

const createColumns = (seesAll: boolean, onRevoke: (key: ApiKey) => void): readonly Column<ApiKey>[] => [
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
      <Button variant="inline" ariaLabel={`Revoke ${key.name}`} onClick={() => onRevoke(key)}>
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

function CreateKeyModal({ onClose, onMade }: CreateKeyModalProps) {
  const { client } = useApi();
  const held = useCaller().data?.roles ?? [];
  const grantable = roles.slice(0, 1 + Math.max(...held.map((role) => roles.indexOf(role))));
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('viewer');
  const options = grantable.map((value) => ({ value, label: roleNames[value] }));
  return (
    <ActionModal
      title="Create API key"
      confirmText="Create key"
      fields={['name', 'role']}
      disabled={name.trim() === ''}
      run={async () => onMade((await client.createApiKey({ name, role })).key)}
      onClose={onClose}
    >
      {(problems) => (
        <>
          <FormField label="Name" description="What this key is used for." errorText={problems.name}>
            <Input value={name} onChange={setName} />
          </FormField>
          <FormField label="Role" description="Choose the least privileged role that works." errorText={problems.role}>
            <Select value={role} options={options} onChange={(value) => setRole(value as Role)} />
          </FormField>
        </>
      )}
    </ActionModal>
  );
}
