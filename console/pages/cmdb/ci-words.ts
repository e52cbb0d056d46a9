import type { ServiceClient } from '../../../client/index.ts';
import type { CiStatus, RelationType } from '../../../contract/ci-parts.ts';

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

export const ciStatuses = Object.keys(statusNames) as CiStatus[];

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
