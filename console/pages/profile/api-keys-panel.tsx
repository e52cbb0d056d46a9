import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Table, { type TableProps } from '@cloudscape-design/components/table';
import { useCallback, useState } from 'react';
import type { ServiceClient } from '../../../client/index.ts';
import { useApi } from '../../api.ts';
import { Ago } from '../../components/moment.tsx';
import { ProblemView } from '../../components/problem-view.tsx';
import { collectPages } from '../../pages-of.ts';
import { roleNames } from '../../role-names.ts';
import { useLoad } from '../../use-load.ts';
import { useMay } from '../../use-may.ts';
import { CreateKeyModal } from './create-key-modal.tsx';
import { RevokeKeyModal } from './revoke-key-modal.tsx';

export type ApiKey = Awaited<ReturnType<ServiceClient['listApiKeys']>>['data'][number];

export function ApiKeysPanel() {
  const { client } = useApi();
  const seesAll = useMay('super_admin');
  const load = useCallback(
    (signal: AbortSignal) => collectPages((page) => client.listApiKeys(page, { signal })),
    [client],
  );
  const { data, problem, reload } = useLoad(load);
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
        columnDefinitions={columnsOf(seesAll, setOpen)}
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

/** It is in the memory of this page alone. */
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

const columnsOf = (
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
