import type { InboundWebhook } from '../webhook-words.ts';

// A payload to begin with: it has a value for every path that the webhook names, so that trying it shows something.

type Json = Record<string, unknown> | unknown[];

export function samplePayload(webhook: InboundWebhook): unknown {
  const { field_mapping, dedup_key, incident_id, filters } = webhook;
  const templates = [...Object.values(field_mapping), dedup_key, incident_id].filter((text) => text !== null);
  const paths = templates.flatMap((text) => [...text.matchAll(placePattern)].map(([, path]) => path!));
  const sample = bare();
  for (const path of paths) put(sample, stepsOf(path), lastName(path));
  for (const { field, operator, value } of filters) {
    if (operator === 'eq') put(sample, stepsOf(field), value);
    if (operator === 'in' && Array.isArray(value)) put(sample, stepsOf(field), value[0]);
  }
  return sample;
}

const placePattern = /\{\{\s*([^\s|}]+)/g;

/** More than a person would read. */
const longestList = 10;

function stepsOf(path: string): (string | number)[] {
  const steps = path
    .replace(/^(?:\$|payload)(?=[.[])\.?/, '')
    .split(/[.[]/)
    .map((step) => (step.endsWith(']') ? Number(step.slice(0, -1)) : step))
    .filter((step) => step !== '');
  return steps.some((step) => typeof step === 'number' && !(step < longestList)) ? [] : steps;
}

/** Without a prototype, no name means anything but itself. */
function bare(): Record<string, unknown> {
  return Object.create(null);
}

/** What is there already and does not fit stays. */
function put(root: Json, steps: readonly (string | number)[], value: unknown): void {
  let place: Json = root;
  for (const [index, step] of steps.entries()) {
    if (Array.isArray(place) !== (typeof step === 'number')) return;
    const inner = place as Record<string | number, unknown>;
    if (index === steps.length - 1) {
      inner[step] = value;
      return;
    }
    inner[step] ??= typeof steps[index + 1] === 'number' ? [] : bare();
    if (typeof inner[step] !== 'object') return;
    place = inner[step] as Json;
  }
}

function lastName(path: string): string {
  return String(
    stepsOf(path)
      .filter((step) => typeof step === 'string')
      .at(-1) ?? 'value',
  );
}
