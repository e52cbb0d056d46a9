import * as z from 'zod';

// Where deliveries go, and what they carry beside what the service sets.

/** Only what is on this machine can be reached without anybody in between, so only there http is good enough. */
const loopbackHost = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

export const receiverUrl = z
  .string()
  .max(2_048)
  .superRefine((text, context) => {
    const problem = urlProblem(text);
    if (problem) context.addIssue({ code: 'custom', message: problem });
  })
  .meta({
    format: 'uri',
    description:
      'Where events are delivered: https, at a public address. On one machine also http and https at loopback.',
    examples: ['https://hooks.example.com/incidents'],
  });

/** Headers that belong to the connection, to the body or to the service itself. */
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

const mostHeaders = 20;

export const hiddenValue = '[hidden]';

const reserved =
  'Headers of the connection, `Host`, `Content-Length` and those that the service sets itself are refused.';

export const sentHeaders = z
  .record(z.string(), value)
  .superRefine(goodNames)
  .meta({ description: `Headers that are sent with each delivery. ${reserved}`, examples: [{ 'X-Room': 'mail' }] });

export const sentHeadersPatch = z
  .record(z.string(), value.nullable())
  .superRefine(goodNames)
  .meta({
    description: `Merged into the headers there are: null takes one out, \`${hiddenValue}\` leaves it as it is. ${reserved}`,
  });

export const shownHeaders = z
  .record(z.string(), z.literal(hiddenValue))
  .meta({ description: 'The names of the headers that are sent with each delivery. Their values are never shown.' });

function urlProblem(text: string): string | undefined {
  if (!URL.canParse(text)) return 'must be an absolute URL';
  const { protocol, hostname, username, password } = new URL(text);
  if (protocol !== 'https:' && !(protocol === 'http:' && loopbackHost.test(hostname)))
    return 'must be an https address';
  if (username !== '' || password !== '') return 'must not carry credentials; send them in a header';
  return undefined;
}

function nameProblem(given: string): string | undefined {
  if (given.length > 100 || !/^[!#$%&'*+.^_`|~\w-]+$/.test(given)) return 'is not the name of a header';
  if (reservedHeaders.includes(given.toLowerCase())) return 'is set by the service';
  return undefined;
}

function goodNames(headers: Readonly<Record<string, unknown>>, context: z.core.$RefinementCtx): void {
  const names = Object.keys(headers);
  for (const name of names) {
    const message = nameProblem(name);
    if (message) context.issues.push({ code: 'custom', input: headers, path: [name], message });
  }
  if (names.length > mostHeaders) {
    context.issues.push({ code: 'custom', input: headers, message: `must have at most ${mostHeaders} headers` });
  }
  const twice = names.find((one, place) => names.slice(0, place).some((other) => same(one, other)));
  if (twice) context.issues.push({ code: 'custom', input: headers, path: [twice], message: 'is given twice' });
}

function same(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
