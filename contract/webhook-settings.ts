import * as z from 'zod';
import { acrossFields, id, maxJsonBytes } from './records.ts';

export const outboundWebhookId = id('outboundWebhook', 'ID of the webhook.', 'wh_out_5T2XK8M0QW9RZC4V7HJ1NBD6FE');

// Filters of inbound and outbound webhooks: conditions on payload fields, all of which must match.

export const filterOperators = [
  'eq',
  'neq',
  'in',
  'nin',
  'gt',
  'gte',
  'lt',
  'lte',
  'contains',
  'starts_with',
  'ends_with',
  'exists',
] as const;

export type FilterOperator = (typeof filterOperators)[number];

/** Dot notation such as `a.b[0].c`, optionally with a leading `$.`. */
export const fieldPath = z
  .string()
  .max(256)
  .regex(/^(?:\$\.)?[^\s.[\]{}|\x22]+(?:\[\d{1,6}\])*(?:\.[^\s.[\]{}|\x22]+(?:\[\d{1,6}\])*)*$/, {
    error: 'must be a path such as a.b[0].c',
  })
  .meta({ description: 'Path of a payload field.', examples: ['incident.priority', 'a.b[0].c'] });

const operator = z.enum(filterOperators, { error: `must be one of ${filterOperators.join(', ')}` }).meta({
  id: 'FilterOperator',
  description:
    'Comparison operator. `in` and `nin` take a list, `exists` a boolean, `starts_with` and `ends_with` a string, `gt`, ' +
    '`gte`, `lt` and `lte` a number or a string, the others any value. Values of different types never match.',
});

/** Operators that are not listed take any value. */
const operandRules: Partial<Record<FilterOperator, { test(value: unknown): boolean; message: string }>> = {
  in: { test: Array.isArray, message: 'must be a list of values' },
  nin: { test: Array.isArray, message: 'must be a list of values' },
  exists: { test: (value) => typeof value === 'boolean', message: 'must be true or false' },
  starts_with: { test: (value) => typeof value === 'string', message: 'must be a string' },
  ends_with: { test: (value) => typeof value === 'string', message: 'must be a string' },
  gt: { test: isOrdered, message: 'must be a number or a string' },
  gte: { test: isOrdered, message: 'must be a number or a string' },
  lt: { test: isOrdered, message: 'must be a number or a string' },
  lte: { test: isOrdered, message: 'must be a number or a string' },
};

const filter = z
  .strictObject({
    field: fieldPath,
    operator,
    value: z
      .custom<unknown>((value) => value !== undefined, 'is required')
      .meta({ description: 'Value to compare with: any JSON value.', override: {} }),
  })
  .refine(
    ({ operator, value }) => operandRules[operator]?.test(value) ?? true,
    acrossFields<{ operator: FilterOperator; value: unknown }>({
      of: ['operator', 'value'],
      at: 'value',
      error: ({ operator }) => operandRules[operator]?.message ?? '',
    }),
  )
  .meta({ id: 'WebhookFilter', description: 'Condition on a payload field.' });

export type Filter = z.output<typeof filter>;

export const webhookFilters = z
  .array(filter)
  .max(20)
  .refine(...maxJsonBytes(8_000))
  .meta({ description: 'Conditions on the payload. All must match. At most 8,000 bytes as JSON.' });

function isOrdered(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'string';
}

// Receiver URL and custom headers of outbound webhooks.

/** Plain http is accepted only for loopback addresses. */
const loopbackHost = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

export const receiverUrl = z
  .string()
  .max(2_048)
  .superRefine((text, context) => {
    const problem = findUrlProblem(text);
    if (problem) context.addIssue({ code: 'custom', message: problem });
  })
  .meta({
    format: 'uri',
    description:
      'URL to deliver events to: https at a public address. A local installation also accepts loopback addresses.',
    examples: ['https://hooks.example.com/incidents'],
  });

/** Headers of the connection, of the body and of the service itself. */
const reservedHeaders = [
  'connection',
  'content-encoding',
  'content-length',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'webhook-id',
  'webhook-signature',
  'webhook-timestamp',
  'x-service-attempt',
  'x-service-delivery',
  'x-service-event',
  'x-service-signature',
  'x-service-signature-previous',
];

const value = z
  .string()
  .max(2_048)
  .regex(/^[\t\x20-\x7e]*$/, 'must be printable ASCII on one line');

const maxHeaders = 20;

export const hiddenValue = '[hidden]';

const reserved = 'Connection headers, `Host`, `Content-Length` and headers set by the service are rejected.';

export const sentHeaders = z
  .record(z.string(), value)
  .superRefine(checkHeaderNames)
  .meta({ description: `Headers to send with each delivery. ${reserved}`, examples: [{ 'X-Room': 'mail' }] });

export const sentHeadersPatch = z
  .record(z.string(), value.nullable())
  .superRefine(checkHeaderNames)
  .meta({
    description: `Merged with the stored headers: null removes a header, \`${hiddenValue}\` keeps it. ${reserved}`,
  });

export const shownHeaders = z
  .record(z.string(), z.literal(hiddenValue))
  .meta({ description: 'Headers sent with each delivery. Their values are never returned.' });

function findUrlProblem(text: string): string | undefined {
  if (!URL.canParse(text)) return 'must be an absolute URL';
  const { protocol, hostname, username, password } = new URL(text);
  if (protocol !== 'https:' && !(protocol === 'http:' && loopbackHost.test(hostname))) return 'must be an https URL';
  if (username !== '' || password !== '') return 'must not contain credentials; send them in a header';
  return undefined;
}

function findNameProblem(given: string): string | undefined {
  if (given.length > 100 || !/^[!#$%&'*+.^_`|~\w-]+$/.test(given)) return 'is not a valid header name';
  if (reservedHeaders.includes(given.toLowerCase())) return 'is set by the service';
  return undefined;
}

function checkHeaderNames(headers: Readonly<Record<string, unknown>>, context: z.core.$RefinementCtx): void {
  const names = Object.keys(headers);
  for (const name of names) {
    const message = findNameProblem(name);
    if (message) context.issues.push({ code: 'custom', input: headers, path: [name], message });
  }
  if (names.length > maxHeaders) {
    context.issues.push({ code: 'custom', input: headers, message: `must have at most ${maxHeaders} headers` });
  }
  const twice = names.find((one, place) => names.slice(0, place).some((other) => isSame(one, other)));
  if (twice) context.issues.push({ code: 'custom', input: headers, path: [twice], message: 'is a duplicate' });
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
