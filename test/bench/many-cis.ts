// Generates any number of configuration items, the same in every run. All depend on a few of them, and the graph has
// many cycles.
import type { CiDocument, CiRecord } from '../../lambdas/cmdb/ci.ts';

export const toCiId = (number: number) => `CI${String(number).padStart(7, '0')}`;

const startMs = Date.UTC(2026, 0, 1);

/** All items depend on item 0. Every hundredth item also depends on a later one, which creates a cycle. */
export function* createCis(count: number): Iterable<CiRecord> {
  for (let number = 0; number < count; number++) {
    const at = new Date(startMs + number * 1_000).toISOString();
    yield {
      id: toCiId(number),
      version: 1,
      created_at: at,
      updated_at: at,
      deleted: false,
      notes_count: 0,
      private_notes_count: 0,
      document: toDocument(number, count),
    };
  }
}

function toDocument(number: number, count: number): CiDocument {
  const below = number === 0 ? [] : [Math.floor((number - 1) / 5), Math.floor(number / 7)];
  const back = number % 100 === 0 ? [(number * 31 + 17) % count] : [];
  const targets = [...new Set([...below, ...back])].filter((target) => target !== number);
  return {
    name: `ci-${number}`,
    class: `class-${number % 12}`,
    status: 'operational',
    environment: 'production',
    owner: `team-${number % 20}`,
    location: `site-${number % 8}`,
    ip_address: null,
    attributes: { number },
    relations: targets.map((target, place) => ({
      type: place === 0 ? 'runs_on' : 'depends_on',
      ci_id: toCiId(target),
    })),
    discovered_at: null,
  };
}
