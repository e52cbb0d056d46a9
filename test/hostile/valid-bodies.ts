// Valid bodies: the examples of the contract, and the same with every optional field of the example.
import * as z from 'zod';
import type { Operation } from '../../contract/operation.ts';
import { routes } from '../../contract/routes.ts';
import type { Random } from '../support/random.ts';

const pastRecord = {
  external_id: 'hostile',
  short_description: 'Two',
  state: 'closed',
  created_at: '2026-01-01T00:00:00Z',
  resolved_at: '2026-01-02T00:00:00Z',
  closed_at: '2026-01-03T00:00:00Z',
  notes: [{ body: 'A note', author: 'ada@example.com', created_at: '2026-01-01T00:00:00Z' }],
  history: [{ at: '2026-01-01T00:00:00Z', actor: 'ada', changes: { state: { from: 'new', to: 'resolved' } } }],
};

/** Bodies of another form than the example. */
const otherForms: Readonly<Record<string, unknown>> = {
  bulkIncidents: { operation: 'import', records: [pastRecord] },
  bulkProblems: { operation: 'import', records: [{ ...pastRecord, known_error: true, root_cause: 'A cause' }] },
  bulkCis: { operation: 'create', records: [routes.createCi.bodyExample] },
};

export function validBody(operation: Operation, random: Random): unknown {
  const { body, bodyExample = {}, name } = operation;
  if (!body) return undefined;
  const form = random.pick(['example', 'full', 'other']);
  if (form === 'other' && otherForms[name]) return structuredClone(otherForms[name]);
  return structuredClone(
    form === 'example' ? bodyExample : { ...collectExamples(operation), ...(bodyExample as object) },
  );
}

function collectExamples({ body, responses }: Operation): Record<string, unknown> {
  if (!(body instanceof z.ZodObject)) return {};
  const shown = Object.values(responses).find(({ example }) => example !== undefined)?.example ?? {};
  const values = Object.entries(shown).filter(([field, value]) => field in body.shape && value !== null);
  return Object.fromEntries(values);
}
