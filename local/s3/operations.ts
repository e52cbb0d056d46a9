import { AwsError } from '../aws/error.ts';
import type { Authorize, AwsHttpRequest, AwsHttpResponse } from '../aws/service.ts';
import type { Clock } from '../clock/clock.ts';
import type { StackEnvironment } from '../template/resource-type.ts';
import { checkReadConditions, checkWriteConditions, requestedRange } from './conditions.ts';
import { listing } from './listing.ts';
import type { ObjectHeader, ObjectStore, StoredObject } from './object-store.ts';
import { contentEncoding, uploadedBytes } from './upload.ts';
import { xmlAnswer } from './xml.ts';

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

export async function answer(request: AwsHttpRequest, context: CallContext): Promise<AwsHttpResponse> {
  const { bucket, key } = addressOf(request, context.environment);
  refuseUnknown(request, key === '' ? listParameters : objectParameters);
  if (bucket === '') return bucketsAnswer(request, context);
  const resource = `arn:aws:s3:::${bucket}`;
  if (key === '') return bucketAnswer(request, bucket, resource, context);
  const action = objectActions[request.method];
  const run = objectOperations[request.method];
  if (!action || !run) throw notImplemented(`${request.method} of an object`);
  context.authorize([{ action, resource: `${resource}/${key}` }]);
  if (Buffer.byteLength(key) > 1024) throw new AwsError('KeyTooLongError', 'Your key is too long');
  return run({ ...context, request, bucket, store: storeOf(bucket, context), key });
}

const objectActions: Record<string, string> = {
  GET: 's3:GetObject',
  HEAD: 's3:GetObject',
  PUT: 's3:PutObject',
  DELETE: 's3:DeleteObject',
};

const objectOperations: Record<string, (call: ObjectCall) => Promise<AwsHttpResponse>> = {
  GET: (call) => withObject(call, getObject),
  HEAD: (call) => withObject(call, headObject),
  PUT: putObject,
  async DELETE({ store, key }) {
    await store.delete(key);
    return { status: 204, headers: {}, body: '' };
  },
};

const objectParameters = new Set(['x-id']);
const listParameters = new Set([
  'continuation-token',
  'delimiter',
  'encoding-type',
  'fetch-owner',
  'list-type',
  'max-keys',
  'prefix',
  'start-after',
  'x-id',
]);

/** Either /bucket/key, or the bucket as the first part of the host's name, where the rest is this machine's. */
function addressOf({ path, headers }: AwsHttpRequest, { awsUrl }: StackEnvironment): { bucket: string; key: string } {
  const host = (headers.host ?? '').replace(/:\d+$/, '');
  const own = new Set([new URL(awsUrl).hostname, 'localhost']);
  const virtual = [...own].find((name) => host.endsWith(`.${name}`));
  const decoded = decodedPath(path);
  if (virtual) return { bucket: host.slice(0, -virtual.length - 1), key: decoded };
  const slash = decoded.indexOf('/');
  return slash < 0 ? { bucket: decoded, key: '' } : { bucket: decoded.slice(0, slash), key: decoded.slice(slash + 1) };
}

function decodedPath(path: string): string {
  try {
    return decodeURIComponent(path.slice(1));
  } catch {
    throw new AwsError('InvalidURI', "Couldn't parse the specified URI.");
  }
}

function refuseUnknown({ query, headers }: AwsHttpRequest, known: ReadonlySet<string>): void {
  const parameter = [...query.keys()].find((name) => !known.has(name));
  if (parameter) throw notImplemented(`the parameter ${parameter}`);
  const refused = [
    'x-amz-acl',
    'x-amz-copy-source',
    'x-amz-object-lock-mode',
    'x-amz-tagging',
    'x-amz-write-offset-bytes',
  ];
  const header = refused.find((name) => headers[name] !== undefined);
  if (header) throw notImplemented(`the header ${header}`);
}

function bucketsAnswer({ method }: AwsHttpRequest, { buckets, authorize }: CallContext): AwsHttpResponse {
  if (method !== 'GET') throw notImplemented(`${method} without a bucket`);
  authorize([{ action: 's3:ListAllMyBuckets', resource: '*' }]);
  const Bucket = [...buckets.keys()].sort().map((Name) => ({ Name, CreationDate: '1970-01-01T00:00:00.000Z' }));
  return xmlAnswer('ListAllMyBucketsResult', { Buckets: { Bucket } });
}

async function bucketAnswer(
  { method, query }: AwsHttpRequest,
  bucket: string,
  resource: string,
  context: CallContext,
): Promise<AwsHttpResponse> {
  const prefix = { 's3:prefix': query.get('prefix') ?? '' };
  context.authorize([{ action: 's3:ListBucket', resource, context: prefix }]);
  const store = storeOf(bucket, context);
  if (method === 'HEAD') return { status: 200, headers: {}, body: '' };
  if (method !== 'GET' || query.get('list-type') !== '2')
    throw notImplemented(`${method} of a bucket but ListObjectsV2`);
  return listing(bucket, await store.list(), query);
}

async function putObject({ request, store, key, clock }: ObjectCall): Promise<AwsHttpResponse> {
  const { headers } = request;
  const bytes = uploadedBytes(request);
  const existing = await store.get(key);
  await existing?.close();
  checkWriteConditions(request, existing?.header);
  const kept = ['cache-control', 'content-disposition', 'content-language', 'expires'];
  const own = Object.entries({ ...headers, 'content-encoding': contentEncoding(headers['content-encoding']) });
  const stored = await store.put(
    {
      key,
      modifiedMs: clock.now(),
      contentType: headers['content-type'] ?? 'binary/octet-stream',
      headers: Object.fromEntries(
        own.filter((entry): entry is [string, string] => {
          const [name, value] = entry;
          const isKept = kept.includes(name) || name === 'content-encoding' || name.startsWith('x-amz-meta-');
          return value !== undefined && isKept;
        }),
      ),
    },
    bytes,
  );
  return { status: 200, headers: { etag: `"${stored.etag}"` }, body: '' };
}

/** Whoever may not list a bucket does not learn whether a key exists. */
async function withObject(
  call: ObjectCall,
  use: (request: AwsHttpRequest, object: StoredObject) => Promise<AwsHttpResponse>,
): Promise<AwsHttpResponse> {
  const { request, store, key, bucket, authorize } = call;
  const object = await store.get(key);
  if (!object) {
    authorize([{ action: 's3:ListBucket', resource: `arn:aws:s3:::${bucket}`, context: { 's3:prefix': key } }]);
    throw new AwsError('NoSuchKey', 'The specified key does not exist.', { status: 404, fields: { Key: key } });
  }
  try {
    checkReadConditions(request, object.header);
    return await use(request, object);
  } finally {
    await object.close();
  }
}

async function getObject(request: AwsHttpRequest, object: StoredObject): Promise<AwsHttpResponse> {
  const { size } = object.header;
  const range = requestedRange(request.headers.range, size);
  const { start, end } = range ?? { start: 0, end: size };
  return {
    status: range ? 206 : 200,
    headers: { ...headersOf(object.header), ...(range && { 'content-range': `bytes ${start}-${end - 1}/${size}` }) },
    body: await object.read(start, end),
  };
}

async function headObject(request: AwsHttpRequest, object: StoredObject): Promise<AwsHttpResponse> {
  const { size } = object.header;
  const range = requestedRange(request.headers.range, size);
  const length = range ? range.end - range.start : size;
  return {
    status: range ? 206 : 200,
    headers: { ...headersOf(object.header), 'content-length': String(length) },
    body: '',
  };
}

function headersOf({ etag, modifiedMs, contentType, headers }: ObjectHeader): Record<string, string> {
  return {
    ...headers,
    'accept-ranges': 'bytes',
    'content-type': contentType,
    'last-modified': new Date(modifiedMs).toUTCString(),
    etag: `"${etag}"`,
  };
}

function storeOf(bucket: string, { buckets }: CallContext): ObjectStore {
  const store = buckets.get(bucket);
  if (store) return store;
  throw new AwsError('NoSuchBucket', 'The specified bucket does not exist', {
    status: 404,
    fields: { BucketName: bucket },
  });
}

function notImplemented(what: string): AwsError {
  return new AwsError('NotImplemented', `This runtime does not implement ${what}.`, { status: 501 });
}
