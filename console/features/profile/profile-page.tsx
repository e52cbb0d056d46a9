import Box from '@cloudscape-design/components/box';
import Select from '@cloudscape-design/components/select';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { TableProps } from '@cloudscape-design/components/table';
import { useState } from 'react';
import type { ServiceClient } from '../../../client/index.ts';
import type { AuditType } from '../../../contract/audit.ts';
import { useApi } from '../../base/api.ts';
import { useHasRole } from '../../base/caller.tsx';
import { useMore } from '../../base/use-load.ts';
import { MoreTable } from '../../records/tables.tsx';
import { PageLayout } from '../../ui/layouts.tsx';
import { Moment } from '../../ui/text.tsx';
import { ApiKeysPanel } from './api-keys.tsx';
import { CallerPanel } from './caller-panel.tsx';
import { ContactMethodsPanel } from './contact-methods.tsx';
import { NotificationRulesPanel } from './notification-rules.tsx';

export function ProfilePage() {
  const readsAudit = useHasRole('super_admin');
  return (
    <PageLayout title="Profile">
      <SpaceBetween size="l">
        <CallerPanel />
        <ContactMethodsPanel />
        <NotificationRulesPanel />
        <ApiKeysPanel />
        {readsAudit && <AuditPanel />}
      </SpaceBetween>
    </PageLayout>
  );
}

type AuditEntry = Awaited<ReturnType<ServiceClient['listAudit']>>['data'][number];

export function AuditPanel() {
  const { client } = useApi();
  const [type, setType] = useState<AuditType | ''>('');
  const list = useMore<AuditEntry>(['audit', type], (page, signal) =>
    client.listAudit({ ...page, ...(type === '' ? {} : { type }) }, { signal }),
  );
  return (
    <MoreTable
      list={list}
      title="Audit log"
      description="Sign-ins, API keys, secrets, deletions, and changes to users, groups and clients. Retained for one year."
      columns={columns}
      empty="No audit entries."
      filter={
        <Select
          ariaLabel="Filter entries"
          selectedOption={options.find(({ value }) => value === type) ?? null}
          options={options}
          onChange={({ detail }) => setType((detail.selectedOption.value ?? '') as AuditType | '')}
        />
      }
    />
  );
}

const typeNames: Readonly<Record<AuditType, string>> = {
  'sign_in.succeeded': 'Signed in',
  'sign_in.failed': 'Sign-in failed',
  'api_key.created': 'API key created',
  'api_key.revoked': 'API key revoked',
  'webhook.created': 'Webhook created',
  'webhook.updated': 'Webhook updated',
  'webhook_secret.rotated': 'Webhook secret rotated',
  'record.deleted': 'Record deleted',
  'group.created': 'Group created',
  'group.updated': 'Group updated',
  'group.deleted': 'Group deleted',
  'group.member_added': 'Added to group',
  'group.member_removed': 'Removed from group',
  'user.created': 'User created',
  'user.updated': 'User updated',
  'user.enabled': 'User enabled',
  'user.disabled': 'User disabled',
  'user.deleted': 'User deleted',
  'user.password_set': 'Password set',
  'user.password_reset': 'Password reset',
  'user.signed_out': 'Signed out everywhere',
  'client.created': 'Client created',
  'client.updated': 'Client updated',
  'client.deleted': 'Client deleted',
};

const options = [
  { value: '', label: 'All entries' },
  ...Object.entries(typeNames).map(([value, label]) => ({ value, label })),
];

const columns: readonly TableProps.ColumnDefinition<AuditEntry>[] = [
  { id: 'at', header: 'Time', minWidth: 150, cell: ({ at }) => <Moment at={at} /> },
  { id: 'type', header: 'Event', isRowHeader: true, minWidth: 150, cell: ({ type }) => typeNames[type] },
  { id: 'actor', header: 'User', minWidth: 180, cell: ({ actor }) => <span className="wrapping">{actor}</span> },
  {
    id: 'target',
    header: 'Target',
    minWidth: 160,
    cell: ({ target }) => <span className="wrapping">{target ?? '–'}</span>,
  },
  { id: 'details', header: 'Details', minWidth: 200, cell: (entry) => <Details entry={entry} /> },
];

/** Omits the ids of users and clients; the table shows email addresses instead. */
function Details({ entry: { details, source_ip } }: { entry: AuditEntry }) {
  const { user_id: _user, client_id: _client, ...shown } = details;
  const facts = Object.entries({ ...shown, 'source IP': source_ip });
  if (facts.length === 0) return '–';
  return facts.map(([name, value]) => (
    <Box key={name} fontSize="body-s">
      <span className="wrapping">
        {name.replaceAll('_', ' ')}: {[value].flat().join(', ')}
      </span>
    </Box>
  ));
}
