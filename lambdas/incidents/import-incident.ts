import type { IncidentImport } from '../../contract/incident-imports.ts';
import type { IncidentState, Priority } from '../../contract/states.ts';
import { requireValue } from '../platform/require-value.ts';
import type { ImportedFields, ImportRules } from '../records/import-record.ts';
import type { IncidentDocument, IncidentRules } from './incident.ts';

export function createIncidentImportRules({
  resource,
  sla,
}: Pick<IncidentRules, 'resource' | 'sla'>): ImportRules<IncidentImport, IncidentDocument> {
  return {
    kind: 'incident',
    resource,
    async toDocument(given, nowMs) {
      await sla.prepare();
      return replayPast(given, sla, nowMs);
    },
  };
}

interface Phase {
  atMs: number;
  state: IncidentState;
  priority: Priority;
}

/**
 * Replays the states and priorities of the history for the SLA, under the current policies. Without a history, the clock runs
 * until the time of resolution or closure. What was due in the past is marked, so that the sweep does not report it.
 */
function replayPast(given: ImportedFields<IncidentImport>, sla: IncidentRules['sla'], nowMs: number): IncidentDocument {
  const { id: _, notes: _notes, history: _history, created_at, updated_at, ...fields } = given;
  const { state, priority, resolved_at, closed_at } = fields;
  const steps = listPhases(given);
  const first = requireValue(steps[0]);
  const endedAt = state === 'resolved' || state === 'closed' ? resolved_at : (closed_at ?? updated_at);
  const last = steps.at(-1);
  const isComplete = last?.state === state && last.priority === priority;
  let document = sla.start({ ...fields, state: first.state, priority: first.priority }, Date.parse(created_at));
  for (const step of [
    ...steps,
    ...(isComplete ? [] : [{ atMs: Date.parse(endedAt ?? updated_at), state, priority }]),
  ]) {
    document = sla.follow(document, { ...document, state: step.state, priority: step.priority }, step.atMs);
  }
  return sla.markDue(document, nowMs);
}

function listPhases({ state, priority, created_at, history }: IncidentImport & { created_at: string }): Phase[] {
  const readFirst = (name: string) => history.find(({ changes }) => changes[name])?.changes[name]?.from;
  const known = {
    state: history.length > 0 ? (readFirst('state') ?? 'new') : 'new',
    priority: readFirst('priority') ?? priority,
  };
  const steps = [{ atMs: Date.parse(created_at), ...known } as Phase];
  for (const { at, changes } of history) {
    const before = requireValue(steps.at(-1));
    const next = { state: changes.state?.to ?? before.state, priority: changes.priority?.to ?? before.priority };
    if (changes.state || changes.priority)
      steps.push({ atMs: Math.max(Date.parse(at), before.atMs), ...next } as Phase);
  }
  // Values of another system's history may be unknown here.
  const isPriority = (value: Priority) => /^P[1-4]$/.test(value);
  return steps.map((step) => ({
    ...step,
    state: step.state ?? state,
    priority: isPriority(step.priority) ? step.priority : priority,
  }));
}
