import { AwsError } from '../aws/error.ts';
import type { AwsHttpResponse } from '../aws/service.ts';
import type { ObjectHeader } from './object-store.ts';
import { type XmlElement, xmlAnswer } from './xml.ts';

const largestPage = 1000;

/** The answer to ListObjectsV2 over all objects of a bucket, which come in the order of their keys. */
export function listing(bucket: string, objects: readonly ObjectHeader[], query: URLSearchParams): AwsHttpResponse {
  const prefix = query.get('prefix') ?? '';
  const delimiter = query.get('delimiter') ?? '';
  const maxKeys = Math.min(largestPage, wholeNumber(query.get('max-keys') ?? String(largestPage)));
  const token = query.get('continuation-token');
  const after = token === null ? (query.get('start-after') ?? '') : keyIn(token);
  const shown = query.get('encoding-type') === 'url' ? encodeURIComponent : (text: string) => text;

  const contents: XmlElement[] = [];
  const groups = new Set<string>();
  let last = '';
  let isTruncated = false;
  for (const object of objects) {
    if (!object.key.startsWith(prefix) || !isBehind(object.key, after)) continue;
    const group = groupOf(object.key, prefix, delimiter);
    // A group that the page before ended with is not told again.
    if (group !== undefined && (groups.has(group) || (after !== '' && after.startsWith(group)))) continue;
    if (contents.length + groups.size >= maxKeys) {
      isTruncated = maxKeys > 0;
      break;
    }
    last = object.key;
    if (group === undefined) contents.push(entry(object, shown));
    else groups.add(group);
  }
  return xmlAnswer('ListBucketResult', {
    Name: bucket,
    Prefix: shown(prefix),
    ...(delimiter !== '' && { Delimiter: shown(delimiter) }),
    ...(token !== null && { ContinuationToken: token }),
    MaxKeys: maxKeys,
    KeyCount: contents.length + groups.size,
    IsTruncated: isTruncated,
    ...(isTruncated && { NextContinuationToken: Buffer.from(last).toString('base64url') }),
    Contents: contents,
    CommonPrefixes: [...groups].map((group) => ({ Prefix: shown(group) })),
  });
}

function groupOf(key: string, prefix: string, delimiter: string): string | undefined {
  if (delimiter === '') return undefined;
  const end = key.indexOf(delimiter, prefix.length);
  return end < 0 ? undefined : key.slice(0, end + delimiter.length);
}

function entry({ key, size, etag, modifiedMs }: ObjectHeader, shown: (text: string) => string): XmlElement {
  return {
    Key: shown(key),
    LastModified: new Date(modifiedMs).toISOString(),
    ETag: `"${etag}"`,
    Size: size,
    StorageClass: 'STANDARD',
  };
}

function isBehind(key: string, after: string): boolean {
  return after === '' || Buffer.compare(Buffer.from(key), Buffer.from(after)) > 0;
}

function keyIn(token: string): string {
  const key = Buffer.from(token, 'base64url').toString('utf8');
  if (key === '') throw new AwsError('InvalidArgument', 'The continuation token provided is incorrect');
  return key;
}

function wholeNumber(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 0) {
    throw new AwsError('InvalidArgument', 'Provided max-keys not an integer or within integer range');
  }
  return number;
}
