import { AwsError } from '../aws/error.ts';
import type { XmlElement } from '../aws/xml.ts';
import type { ObjectHeader } from './object-store.ts';

const maxPageSize = 1000;

/** Builds the ListBucketResult of ListObjectsV2. `objects` are all objects of the bucket, sorted by key. */
export function listObjects(bucket: string, objects: readonly ObjectHeader[], query: URLSearchParams): XmlElement {
  const prefix = query.get('prefix') ?? '';
  const delimiter = query.get('delimiter') ?? '';
  const maxKeys = Math.min(maxPageSize, parseMaxKeys(query.get('max-keys')));
  const token = query.get('continuation-token');
  const after = token === null ? (query.get('start-after') ?? '') : parseToken(token);
  const encodingType = parseEncodingType(query.get('encoding-type'));
  const encode = encodingType ? encodeKey : (text: string) => text;

  const contents: XmlElement[] = [];
  const groups = new Set<string>();
  let last = '';
  let isTruncated = false;
  for (const object of objects) {
    if (!object.key.startsWith(prefix) || !isAfter(object.key, after)) continue;
    const group = findGroup(object.key, prefix, delimiter);
    // Skip a group that ended the previous page.
    if (group !== undefined && (groups.has(group) || (after !== '' && after.startsWith(group)))) continue;
    if (contents.length + groups.size >= maxKeys) {
      isTruncated = maxKeys > 0;
      break;
    }
    last = object.key;
    if (group === undefined) contents.push(toEntry(object, encode));
    else groups.add(group);
  }
  return {
    Name: bucket,
    Prefix: encode(prefix),
    ...(delimiter !== '' && { Delimiter: encode(delimiter) }),
    // Clients decode the keys only if the response contains the encoding type.
    EncodingType: encodingType,
    ...(token !== null && { ContinuationToken: token }),
    MaxKeys: maxKeys,
    KeyCount: contents.length + groups.size,
    IsTruncated: isTruncated,
    ...(isTruncated && { NextContinuationToken: Buffer.from(last).toString('base64url') }),
    Contents: contents,
    CommonPrefixes: [...groups].map((group) => ({ Prefix: encode(group) })),
  };
}

function parseEncodingType(text: string | null): 'url' | undefined {
  if (text === null) return undefined;
  if (text === 'url') return text;
  throw new AwsError('InvalidArgument', 'Invalid Encoding Method specified in Request');
}

/** Like S3, keeps slashes. */
function encodeKey(text: string): string {
  return encodeURIComponent(text).replaceAll('%2F', '/');
}

function findGroup(key: string, prefix: string, delimiter: string): string | undefined {
  if (delimiter === '') return undefined;
  const end = key.indexOf(delimiter, prefix.length);
  return end < 0 ? undefined : key.slice(0, end + delimiter.length);
}

function toEntry({ key, size, etag, modifiedMs }: ObjectHeader, encode: (text: string) => string): XmlElement {
  return {
    Key: encode(key),
    LastModified: new Date(modifiedMs).toISOString(),
    ETag: `"${etag}"`,
    Size: size,
    StorageClass: 'STANDARD',
  };
}

function isAfter(key: string, after: string): boolean {
  return after === '' || Buffer.compare(Buffer.from(key), Buffer.from(after)) > 0;
}

function parseToken(token: string): string {
  const key = Buffer.from(token, 'base64url').toString('utf8');
  if (key === '') throw new AwsError('InvalidArgument', 'The continuation token provided is incorrect');
  return key;
}

function parseMaxKeys(text: string | null): number {
  const number = Number(text ?? maxPageSize);
  if (Number.isInteger(number) && number >= 0) return number;
  throw new AwsError('InvalidArgument', 'Provided max-keys not an integer or within integer range');
}
