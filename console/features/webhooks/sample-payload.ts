import { useLoad } from '../../base/use-load.ts';
import type { InboundWebhook } from '../../resources/webhook-words.ts';

// The sample of the preset, or a payload with a value for every path that the webhook uses.

type Json = Record<string, unknown> | unknown[];

type SampleSettings = Pick<InboundWebhook, 'field_mapping' | 'dedup_key' | 'incident_id' | 'filters' | 'when'>;

type PresetSettings = SampleSettings & Pick<InboundWebhook, 'preset'>;

/** Undefined until it is loaded. */
export function useSample(settings: PresetSettings): unknown {
  const { data } = useLoad(['webhooks', 'sample', settings.preset], () => loadSample(settings));
  return data;
}

export async function loadSample({ preset, ...settings }: PresetSettings): Promise<unknown> {
  if (preset === null) return buildSamplePayload(settings);
  return (await import('./preset-samples.ts')).presetSamples[preset];
}

/** A shell command that sends the sample. The secret is a variable, so that only one place needs it. */
export function buildSampleCommand(webhook: InboundWebhook, sample: unknown, secret = 'whsec_…'): string {
  const body = `BODY=${quoteForShell(JSON.stringify(sample))}`;
  const send = `curl -sS ${quoteForShell(webhook.url)} \\\n  -H 'Content-Type: application/json' --data-binary "$BODY"`;
  if (!webhook.secret_enabled) return [body, send].join('\n');
  return [
    body,
    `SECRET=${quoteForShell(secret)}`,
    `SIGNATURE=$(printf '%s' "$BODY" | openssl dgst -sha256 -hmac "$SECRET" | awk '{print $NF}')`,
    `${send} \\\n  -H "X-Service-Signature: sha256=$SIGNATURE"`,
  ].join('\n');
}

function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

export function buildSamplePayload(settings: SampleSettings): unknown {
  const { field_mapping, dedup_key, incident_id, filters, when } = settings;
  const templates = [...Object.values(field_mapping), dedup_key, incident_id].filter((text) => text !== null);
  const paths = templates.flatMap((text) => [...text.matchAll(pathPattern)].map(([, path = '']) => path));
  const sample = createBareObject();
  for (const path of paths) put(sample, parseSteps(path), getLastName(path));
  for (const { field, operator, value } of [...filters, ...when]) {
    if (operator === 'eq') put(sample, parseSteps(field), value);
    if (operator === 'in' && Array.isArray(value)) put(sample, parseSteps(field), value[0]);
  }
  return sample;
}

const pathPattern = /\{\{\s*([^\s|}]+)/g;

/** Longer lists would not be readable. */
const maxListLength = 10;

function parseSteps(path: string): (string | number)[] {
  const steps = path
    .replace(/^(?:\$|payload)(?=[.[])\.?/, '')
    .split(/[.[]/)
    .map((step) => (step.endsWith(']') ? Number(step.slice(0, -1)) : step))
    .filter((step) => step !== '');
  return steps.some((step) => typeof step === 'number' && !(step < maxListLength)) ? [] : steps;
}

/** An object without prototype, so that names such as `__proto__` are ordinary keys. */
function createBareObject(): Record<string, unknown> {
  return Object.create(null);
}

/** Keeps existing values that do not fit the path. */
function put(root: Json, steps: readonly (string | number)[], value: unknown): void {
  let place: Json = root;
  for (const [index, step] of steps.entries()) {
    if (Array.isArray(place) !== (typeof step === 'number')) return;
    const inner = place as Record<string | number, unknown>;
    if (index === steps.length - 1) {
      inner[step] = value;
      return;
    }
    inner[step] ??= typeof steps[index + 1] === 'number' ? [] : createBareObject();
    if (typeof inner[step] !== 'object') return;
    place = inner[step] as Json;
  }
}

function getLastName(path: string): string {
  return String(
    parseSteps(path)
      .filter((step) => typeof step === 'string')
      .at(-1) ?? 'value',
  );
}
