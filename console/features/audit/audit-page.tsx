import { useState } from 'react';
import type { ServiceClient } from '../../../client/index.ts';
import type { AuditType } from '../../../contract/audit.ts';
import { useApi } from '../../base/api.ts';
import { useMore } from '../../base/use-load.ts';
import { RequireRole } from '../../records/require-role.tsx';
import { MoreTable } from '../../records/tables.tsx';
import { type Column, Input, Row, Select } from '../../ui/kit/index.ts';
import { PageLayout } from '../../ui/layouts.tsx';
import { PageLink } from '../../ui/links.tsx';
import { toRecordPath } from '../../ui/record-path.ts';
import { useSettled } from '../../ui/screen.ts';
import { Ago, noValue } from '../../ui/text.tsx';

type Entry = Awaited<ReturnType<ServiceClient['listAudit']>>['data'][number];

const typingMs = 300;

/** Who changed access, keys and webhooks, and who signed in. */
export function AuditPage() {
  return (
    <PageLayout
      title="Audit log"
      description="Sign-ins, deletions and changes of access in the last year, newest first."
    >
      <RequireRole minRole="super_admin" action="read the audit log">
        <Entries />
      </RequireRole>
    </PageLayout>
  );
}

function Entries() {
  const { client } = useApi();
  const [actor, setActor] = useState('');
  const [type, setType] = useState<AuditType | ''>('');
  const wanted = useSettled(actor.trim(), typingMs);
  const list = useMore<Entry>(['audit', wanted, type], (page, signal) =>
    client.listAudit({ ...page, ...(wanted && { actor: wanted }), ...(type && { type }) }, { signal }),
  );
  return (
    <MoreTable
      list={list}
      title="Audit log"
      description="An address finds the entries of one person."
      columns={columns}
      filter={
        <Row>
          <Input type="search" value={actor} ariaLabel="Actor" placeholder="E-mail address" onChange={setActor} />
          <Select
            ariaLabel="Filter entries"
            value={type}
            options={options}
            onChange={(value) => setType(value as AuditType | '')}
          />
        </Row>
      }
      empty="No entries."
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
  'federated_sign_in.succeeded': 'Single sign-on',
  'federated_sign_in.rejected': 'Single sign-on rejected',
  'role.changed': 'Role changed by group',
};

const options = [
  { value: '', label: 'All entries' },
  ...Object.entries(typeNames).map(([value, label]) => ({ value, label })),
];

function Target({ id }: { id: string | null }) {
  const path = id === null ? undefined : toRecordPath(id);
  if (id === null) return noValue;
  return path ? <PageLink to={path}>{id}</PageLink> : <span className="wrapping">{id}</span>;
}

const columns: readonly Column<Entry>[] = [
  { id: 'at', header: 'Time', cell: ({ at }) => <Ago at={at} /> },
  { id: 'type', header: 'Event', isRowHeader: true, cell: ({ type }) => typeNames[type] },
  { id: 'actor', header: 'Actor', cell: ({ actor }) => <span className="wrapping">{actor}</span> },
  { id: 'target', header: 'Target', cell: ({ target }) => <Target id={target} /> },
  {
    id: 'details',
    header: 'Details',
    cell: ({ details }) =>
      Object.entries(details)
        .map(([name, value]) => `${name}: ${[value].flat().join(', ')}`)
        .join('; ') || noValue,
  },
  { id: 'source', header: 'Source', cell: ({ source_ip }) => source_ip },
];
