import type { ServiceClient } from '../../../client/index.ts';
import type { CiStatus, RelationType } from '../../../contract/ci-parts.ts';
import type { ListSpec } from '../../records/list-address.ts';
import type { FieldSection } from '../../records/record-fields.tsx';
import type { RecordWords } from '../../records/record-words.ts';

export type Ci = Awaited<ReturnType<ServiceClient['getCi']>>;

export type Impact = Awaited<ReturnType<ServiceClient['getCiImpact']>>;

export const ciList = '/cis';

export const ciPath = (id: string) => `${ciList}/${encodeURIComponent(id)}`;

/** Records may name configuration items that the service does not know; those of another form cannot exist. */
export function isCiId(id: string): boolean {
  return /^CI\d{7}$/.test(id);
}

export const statusNames: Readonly<Record<CiStatus, string>> = {
  operational: 'Operational',
  degraded: 'Degraded',
  down: 'Down',
  retired: 'Retired',
};

export const relationNames: Readonly<Record<RelationType, string>> = {
  depends_on: 'Depends on',
  runs_on: 'Runs on',
  part_of: 'Part of',
  connected_to: 'Connected to',
};

/** How an affected item hangs on the one before it; a whole has parts. */
export const viaNames: Readonly<Record<RelationType, string>> = {
  ...relationNames,
  part_of: 'Has the part',
};

export const ciWords: RecordWords = {
  thing: 'configuration item',
  fields: { ip_address: 'Address', discovered_at: 'Discovered' } satisfies { [Field in keyof Ci]?: string },
  values: { status: statusNames },
};

export const ciListSpec: ListSpec = {
  choices: { status: statusNames },
  texts: ['class', 'environment', 'owner', 'location', 'name', 'ip_address'],
  sorts: ['updated_at', 'created_at', 'status'],
};

export const ciSections: readonly FieldSection[] = [
  {
    title: 'What it is',
    fields: [
      { name: 'name', kind: 'summary' },
      { name: 'class', kind: 'line', hint: 'Such as server, database or service.' },
      { name: 'status', kind: 'choice', first: 'operational' },
      { name: 'environment', kind: 'line', hint: 'Such as production.' },
      { name: 'owner', kind: 'line', hint: 'The person or the team that answers for it.' },
      { name: 'location', kind: 'line' },
      { name: 'ip_address', kind: 'line', hint: 'IPv4 or IPv6.' },
    ],
  },
  { title: 'What it rests on', fields: [{ name: 'relations', kind: 'relations' }] },
  {
    title: 'What else is known of it',
    fields: [{ name: 'attributes', kind: 'json', hint: 'A JSON object, such as {"cpus": 8, "os": "Debian 13"}.' }],
  },
];

export const ciFields = ciSections.flatMap(({ fields }) => fields);
