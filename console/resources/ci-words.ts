import type { ServiceClient } from '../../client/index.ts';
import type { RelationType } from '../../contract/ci-relations.ts';
import { idPatterns } from '../../contract/ids.ts';
import { ciStatuses } from '../../contract/states.ts';
import { type ListSpec, timeSorts } from '../records/list-address.ts';
import type { FieldSection } from '../records/record-draft.ts';
import { createKind } from '../records/record-kind.ts';
import { nameValues, type RecordWords } from '../records/record-words.ts';
import { formatCount } from '../ui/count.ts';

export type Ci = Awaited<ReturnType<ServiceClient['getCi']>>;

export type Impact = Awaited<ReturnType<ServiceClient['getCiImpact']>>;

export const ciList = '/cis';

export const ciPath = (id: string) => `${ciList}/${encodeURIComponent(id)}`;

/** Whether the text has the form of an item id; records may name anything. */
export function isCiId(id: string): boolean {
  return idPatterns.ci.test(id);
}

export const statusNames = nameValues(ciStatuses);

export const relationNames: Readonly<Record<RelationType, string>> = {
  depends_on: 'Depends on',
  runs_on: 'Runs on',
  part_of: 'Part of',
  connected_to: 'Connected to',
};

/** How an affected item relates to the one before it. */
export const viaNames: Readonly<Record<RelationType, string>> = {
  ...relationNames,
  part_of: 'Contains',
};

export const ciWords: RecordWords = {
  thing: 'configuration item',
  fields: { ip_address: 'IP address', discovered_at: 'Discovered' } satisfies { [Field in keyof Ci]?: string },
  values: { status: statusNames, type: relationNames },
};

export const ciListSpec: ListSpec = {
  choices: { status: statusNames },
  texts: ['class', 'environment', 'owner', 'location', 'name', 'ip_address'],
  sorts: {
    updated_at: timeSorts.updated_at,
    created_at: timeSorts.created_at,
    status: { desc: 'Status, Z to A', asc: 'Status, A to Z' },
  },
};

/** How much depends on an item, in one sentence. */
export function describeImpact({ ci, affected_total, truncated }: Impact): string {
  if (affected_total === 0) return `No item depends on ${ci.name}.`;
  const isOne = affected_total === 1 && !truncated.affected;
  const items = truncated.affected
    ? `At least ${formatCount(affected_total, 'item')}`
    : formatCount(affected_total, 'item');
  return `${items} ${isOne ? 'depends' : 'depend'} on ${ci.name} directly or indirectly.`;
}

const ciSections: readonly FieldSection[] = [
  {
    title: 'Details',
    fields: [
      { name: 'name', kind: 'summary' },
      { name: 'class', kind: 'line', hint: 'For example: server, database or service.' },
      { name: 'status', kind: 'choice', first: 'operational' },
      { name: 'environment', kind: 'line', hint: 'For example: production.' },
      { name: 'owner', kind: 'line', hint: 'The person or team responsible for this item.' },
      { name: 'location', kind: 'line' },
      { name: 'ip_address', kind: 'line', hint: 'An IPv4 or IPv6 address.' },
    ],
  },
  { title: 'Relations', fields: [{ name: 'relations', kind: 'relations' }] },
  {
    title: 'Attributes',
    fields: [{ name: 'attributes', kind: 'json', hint: 'A JSON object, for example {"cpus": 8, "os": "Debian 13"}.' }],
  },
];

export const ciKind = createKind('Ci', ciList, ciWords, ciSections);
