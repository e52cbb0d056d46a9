import { AwsError } from '../aws/error.ts';
import type { Authorize, AwsHttpRequest, AwsHttpResponse } from '../aws/service.ts';
import { formatXml, type XmlElement } from '../aws/xml.ts';
import type { Clock } from '../clock/clock.ts';
import type { StackEnvironment } from '../template/resource-type.ts';
import { listObjects } from './list-objects.ts';
import type { ObjectHeader, ObjectStore, StoredObject } from './object-store.ts';
import { decodeUpload, parseContentEncoding } from './upload.ts';

export interface CallContext {
  buckets: ReadonlyMap<string, ObjectStore>;
  environment: StackEnvironment;
  clock: Clock;
  authorize: Authorize;
}

interface ObjectCall extends CallContext {
  request: AwsHttpRequest;
  bucket: string;
  store: ObjectStore;
  key: string;
}

export async function handleRequest(request: AwsHttpRequest, context: CallContext): Promise<AwsHttpResponse> {
  const { bucket, key } = parseAddress(request, context.environment);
  rejectUnsupported(request, key === '' ? listParameters : ['x-id']);
  if (bucket === '') return listBuckets(request, context);
  const resource = `arn:aws:s3:::${bucket}`;
  if (key === '') return handleBucket(request, bucket, resource, context);
  const operation = objectOperations[request.method];
  if (!operation) throw notImplementedError(`${request.method} of an object`);
  context.authorize([{ action: operation.action, resource: `${resource}/${key}` }]);
  if (Buffer.byteLength(key) > maxKeyBytes) throw new AwsError('KeyTooLongError', 'Your key is too long');
  return operation.run({ ...context, request, bucket, store: getStore(bucket, context), key });
}

const maxKeyBytes = 1024;

const objectOperations: Record<string, { action: string; run(call: ObjectCall): Promise<AwsHttpResponse> }> = {
  GET: { action: 's3:GetObject', run: (call) => withObject(call, getObject) },
  HEAD: { action: 's3:GetObject', run: (call) => withObject(call, headObject) },
  PUT: { action: 's3:PutObject', run: putObject },
  DELETE: {
    action: 's3:DeleteObject',
    async run({ store, key }) {
      await store.delete(key);
      return { status: 204, headers: {}, body: '' };
    },
  },
};

const listParameters = [
  'continuation-token',
  'delimiter',
  'encoding-type',
  'fetch-owner',
  'list-type',
  'max-keys',
  'prefix',
  'start-after',
  'x-id',
];

const unsupportedHeaders = [
  'if-match',
  'if-none-match',
  'range',
  'x-amz-acl',
  'x-amz-copy-source',
  'x-amz-object-lock-mode',
  'x-amz-tagging',
  'x-amz-write-offset-bytes',
];

/** Reads /bucket/key, or the bucket from the first label of the host name. */
function parseAddress({ path, headers }: AwsHttpRequest, { awsUrl }: StackEnvironment) {
  const host = (headers.host ?? '').replace(/:\d+$/, '');
  const ownHost = [new URL(awsUrl).hostname, 'localhost'].find((name) => host.endsWith(`.${name}`));
  const decoded = decodePath(path);
  if (ownHost) return { bucket: host.slice(0, -ownHost.length - 1), key: decoded };
  const slash = decoded.indexOf('/');
  return slash < 0 ? { bucket: decoded, key: '' } : { bucket: decoded.slice(0, slash), key: decoded.slice(slash + 1) };
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path.slice(1));
  } catch {
    throw new AwsError('InvalidURI', "Couldn't parse the specified URI.");
  }
}

function rejectUnsupported({ query, headers }: AwsHttpRequest, supported: readonly string[]): void {
  const parameter = [...query.keys()].find((name) => !supported.includes(name));
  if (parameter) throw notImplementedError(`the parameter ${parameter}`);
  const header = unsupportedHeaders.find((name) => headers[name] !== undefined);
  if (header) throw notImplementedError(`the header ${header}`);
}

function listBuckets({ method }: AwsHttpRequest, { buckets, authorize }: CallContext): AwsHttpResponse {
  if (method !== 'GET') throw notImplementedError(`${method} without a bucket`);
  authorize([{ action: 's3:ListAllMyBuckets', resource: '*' }]);
  const Bucket = [...buckets.keys()].sort().map((Name) => ({ Name, CreationDate: '1970-01-01T00:00:00.000Z' }));
  return toXmlResponse('ListAllMyBucketsResult', { Buckets: { Bucket } });
}

async function handleBucket(
  { method, query }: AwsHttpRequest,
  bucket: string,
  resource: string,
  context: CallContext,
): Promise<AwsHttpResponse> {
  // The stack creates and deletes buckets.
  if (method !== 'GET' && method !== 'HEAD') throw notImplementedError(`${method} of a bucket`);
  const prefix = { 's3:prefix': query.get('prefix') ?? '' };
  context.authorize([{ action: 's3:ListBucket', resource, context: prefix }]);
  const store = getStore(bucket, context);
  if (method === 'HEAD') return { status: 200, headers: {}, body: '' };
  if (query.get('list-type') !== '2') throw notImplementedError('GET of a bucket except ListObjectsV2');
  return toXmlResponse('ListBucketResult', listObjects(bucket, await store.list(), query));
}

async function putObject({ request, store, key, clock }: ObjectCall): Promise<AwsHttpResponse> {
  const { headers } = request;
  const stored = ['cache-control', 'content-disposition', 'content-encoding', 'content-language', 'expires'];
  const contentEncoding = parseContentEncoding(headers['content-encoding']);
  const ownHeaders = Object.entries({ ...headers, 'content-encoding': contentEncoding }).filter(
    (entry): entry is [string, string] => {
      const [name, value] = entry;
      return value !== undefined && (stored.includes(name) || name.startsWith('x-amz-meta-'));
    },
  );
  const header = {
    key,
    modifiedMs: clock.now(),
    contentType: headers['content-type'] ?? 'binary/octet-stream',
    headers: Object.fromEntries(ownHeaders),
  };
  const { etag } = await store.put(header, decodeUpload(request));
  return { status: 200, headers: { etag: `"${etag}"` }, body: '' };
}

/** Hides whether a key exists from callers without permission to list the bucket. */
async function withObject(
  { store, key, bucket, authorize }: ObjectCall,
  use: (object: StoredObject) => Promise<AwsHttpResponse>,
): Promise<AwsHttpResponse> {
  const object = await store.get(key);
  if (!object) {
    authorize([{ action: 's3:ListBucket', resource: `arn:aws:s3:::${bucket}`, context: { 's3:prefix': key } }]);
    throw new AwsError('NoSuchKey', 'The specified key does not exist.', { status: 404, fields: { Key: key } });
  }
  try {
    return await use(object);
  } finally {
    await object.close();
  }
}

async function getObject(object: StoredObject): Promise<AwsHttpResponse> {
  return { status: 200, headers: toHeaders(object.header), body: await object.read() };
}

async function headObject({ header }: StoredObject): Promise<AwsHttpResponse> {
  return { status: 200, headers: { ...toHeaders(header), 'content-length': String(header.size) }, body: '' };
}

function toHeaders({ etag, modifiedMs, contentType, headers }: ObjectHeader): Record<string, string> {
  return {
    ...headers,
    'content-type': contentType,
    'last-modified': new Date(modifiedMs).toUTCString(),
    etag: `"${etag}"`,
  };
}

function getStore(bucket: string, { buckets }: CallContext): ObjectStore {
  const store = buckets.get(bucket);
  if (store) return store;
  throw new AwsError('NoSuchBucket', 'The specified bucket does not exist', {
    status: 404,
    fields: { BucketName: bucket },
  });
}

function notImplementedError(what: string): AwsError {
  return new AwsError('NotImplemented', `The local runtime does not implement ${what}.`, { status: 501 });
}

function toXmlResponse(root: string, content: XmlElement): AwsHttpResponse {
  const attributes = 'xmlns="http://s3.amazonaws.com/doc/2006-03-01/"';
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n<${root} ${attributes}>${formatXml(content)}</${root}>`;
  return { status: 200, headers: { 'content-type': 'application/xml' }, body };
}
