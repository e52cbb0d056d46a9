// All cases by recording.
import type { Case } from './case.ts';
import { cases as batches } from './cases/batches.ts';
import { cases as capacity } from './cases/capacity.ts';
import { cases as conditions } from './cases/conditions.ts';
import { cases as indexes } from './cases/indexes.ts';
import { cases as queries } from './cases/queries.ts';
import { cases as reads } from './cases/reads.ts';
import { cases as streams } from './cases/streams.ts';
import { cases as tables } from './cases/tables.ts';
import { cases as transactions } from './cases/transactions.ts';
import { cases as updates } from './cases/updates.ts';
import { cases as values } from './cases/values.ts';

export const areas: Readonly<Record<string, readonly Case[]>> = {
  batches,
  capacity,
  conditions,
  indexes,
  queries,
  reads,
  streams,
  tables,
  transactions,
  updates,
  values,
};
