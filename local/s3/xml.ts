import { randomUUID } from 'node:crypto';
import type { AwsError } from '../aws/error.ts';
import type { AwsHttpResponse } from '../aws/service.ts';

/** Text, the content of one element, or of several with the same name; undefined is left out. */
export type XmlValue = string | number | boolean | undefined | XmlElement | readonly XmlElement[];

export interface XmlElement {
  [name: string]: XmlValue;
}

export function xmlAnswer(root: string, content: XmlElement): AwsHttpResponse {
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${inner(content)}</${root}>`;
  return { status: 200, headers: { 'content-type': 'application/xml' }, body };
}

/** S3 names a refusal differently from services with a JSON protocol. */
export function xmlError(error: AwsError, method: string): AwsHttpResponse {
  const refused = error.code === 'AccessDeniedException';
  const status = refused ? 403 : error.status;
  const content = {
    Code: refused ? 'AccessDenied' : error.code,
    Message: error.message,
    ...(error.fields as XmlElement),
    RequestId: randomUUID(),
  };
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n<Error>${inner(content)}</Error>`;
  const isEmpty = method === 'HEAD' || status === 304;
  return { status, headers: { 'content-type': 'application/xml', ...error.headers }, body: isEmpty ? '' : body };
}

function inner(content: XmlElement): string {
  return Object.entries(content)
    .map(([name, value]) => {
      if (value === undefined) return '';
      const all = Array.isArray(value) ? value : [value];
      return all
        .map((each) => `<${name}>${typeof each === 'object' ? inner(each) : escapeXml(each)}</${name}>`)
        .join('');
    })
    .join('');
}

function escapeXml(value: string | number | boolean): string {
  const names: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\r': '&#13;' };
  return String(value).replace(/[&<>"\r]/g, (character) => names[character]!);
}
