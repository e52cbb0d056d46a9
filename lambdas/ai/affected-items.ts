import type { CiGraph } from '../cmdb/ci-graph.ts';
import type { ContextRecord } from './context-record.ts';

const maxNames = 15;

/** The names of the items that a record touches first, then those of the items that depend on them directly. */
export function affectedItems(graph: () => Promise<CiGraph>) {
  return async ({ record }: Pick<ContextRecord, 'record'>): Promise<string[]> => {
    const { ci_id, ci_ids } = record.document;
    const ids = [ci_id, ...(Array.isArray(ci_ids) ? ci_ids : [])].filter((id) => typeof id === 'string');
    if (ids.length === 0) return [];
    const { describe, getDependents } = await graph();
    const dependents = ids.flatMap((id) => getDependents(id).map(({ node }) => node));
    const names = [...ids, ...dependents].flatMap((id) => describe(id)?.name ?? []);
    return [...new Set(names)].slice(0, maxNames);
  };
}
