// SNS speaks the AWS query protocol: a form in, XML out. Lists come as Name.member.1, maps as Name.entry.1.Name.
import { randomUUID } from 'node:crypto';
import type { AwsError } from '../aws/error.ts';
import type { AwsHttpResponse } from '../aws/service.ts';

const namespace = 'http://sns.amazonaws.com/doc/2010-03-31/';

export interface Form {
  get(name: string): string | undefined;
  /** The numbered parts under a name, each a form of its own. */
  list(name: string): Form[];
}

export function readForm(body: string): Form {
  return form(new Map(new URLSearchParams(body)), '');
}

/** Values may be text, lists (written as member) or objects; undefined is left out. */
export type XmlValue = string | readonly XmlValue[] | { [name: string]: XmlValue | undefined };

export function xmlAnswer(operation: string, result: XmlValue): AwsHttpResponse {
  const body = element(`${operation}Response`, {
    [`${operation}Result`]: result,
    ResponseMetadata: { RequestId: randomUUID() },
  });
  return answer(200, body);
}

export function xmlError(error: AwsError): AwsHttpResponse {
  const refused = error.code === 'AccessDeniedException';
  const body = element('ErrorResponse', {
    Error: { Type: 'Sender', Code: refused ? 'AuthorizationError' : error.code, Message: error.message },
    RequestId: randomUUID(),
  });
  return answer(refused ? 403 : error.status, body);
}

function form(values: ReadonlyMap<string, string>, prefix: string): Form {
  return {
    get: (name) => values.get(`${prefix}${name}`),
    list: (name) => {
      const numbers = new Set<number>();
      for (const key of values.keys()) {
        if (!key.startsWith(`${prefix}${name}.`)) continue;
        const number = Number(key.slice(prefix.length + name.length + 1).split('.')[0]);
        if (Number.isInteger(number)) numbers.add(number);
      }
      return [...numbers].sort((a, b) => a - b).map((number) => form(values, `${prefix}${name}.${number}.`));
    },
  };
}

function answer(status: number, body: string): AwsHttpResponse {
  const withNamespace = body.replace('>', ` xmlns="${namespace}">`);
  return { status, headers: { 'content-type': 'text/xml' }, body: withNamespace };
}

function element(name: string, value: XmlValue | undefined): string {
  if (value === undefined) return '';
  if (typeof value === 'string') return `<${name}>${escapeXml(value)}</${name}>`;
  const inner = Array.isArray(value)
    ? value.map((item) => element('member', item))
    : Object.entries(value).map(([key, item]) => element(key, item as XmlValue | undefined));
  return `<${name}>${inner.join('')}</${name}>`;
}

function escapeXml(text: string): string {
  const names: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };
  return text.replace(/[&<>"']/g, (character) => names[character]!);
}
