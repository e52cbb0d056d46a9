import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  GetObjectTaggingCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListBucketsCommand,
  ListObjectsV2Command,
  type ListObjectsV2CommandOutput,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { AwsEndpoint } from '../../../../local/aws/endpoint.ts';
import { AwsError } from '../../../../local/aws/error.ts';
import { operator } from '../../../../local/aws/service.ts';
import { Clock } from '../../../../local/clock/clock.ts';
import { createJsonLog } from '../../../../local/log.ts';
import { createS3, type S3 } from '../../../../local/s3/s3.ts';
import { StorageFaults } from '../../../../local/storage/storage-faults.ts';

const Bucket = 'snapshots';
let logged = '';
const log = createJsonLog((line) => {
  logged += line;
});

describe('s3', () => {
  let folder: string;
  let endpoint: AwsEndpoint;
  let client: S3Client;
  let s3: S3;
  let clock: Clock;
  let denied: Set<string>;
  let faults: StorageFaults;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 's3-'));
    denied = new Set();
    clock = new Clock();
    endpoint = new AwsEndpoint(log);
    const awsUrl = `http://127.0.0.1:${await endpoint.listen(0)}`;
    const environment = { stackName: 'test', region: 'us-east-1', accountId: '000000000000', publicUrl: '', awsUrl };
    faults = new StorageFaults();
    s3 = createS3({ dataFolder: folder, faults, environment, clock, log });
    s3.load([bucket(Bucket)]);
    endpoint.open({
      services: [s3.service],
      authorize: (_caller, accesses) => {
        if (accesses.some(({ action }) => denied.has(action))) {
          throw new AwsError('AccessDeniedException', 'not allowed');
        }
      },
      identify: () => ({ caller: operator, secretAccessKey: 'secret' }),
    });
    client = new S3Client({
      endpoint: awsUrl,
      region: 'us-east-1',
      credentials: { accessKeyId: 'key', secretAccessKey: 'secret' },
      maxAttempts: 1,
    });
  });

  afterEach(async () => {
    client.destroy();
    await endpoint.close();
    clock.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const put = (Key: string, Body: string | Uint8Array, more = {}) =>
    client.send(new PutObjectCommand({ Bucket, Key, Body, ...more }));
  const read = async (Key: string, more = {}) =>
    (await client.send(new GetObjectCommand({ Bucket, Key, ...more }))).Body!.transformToString();

  it.each(['ENOSPC', 'EIO'] as const)('keeps the old object when the disk fails with %s', async (error) => {
    await put('a', 'old');
    faults.set({ at: 'object', error, times: 1 });
    await expect(put('a', 'new')).rejects.toMatchObject({ name: 'InternalError', $fault: 'server' });
    expect(await read('a')).toBe('old');
    expect(readdirSync(join(folder, 's3', Bucket))).toHaveLength(1);
    await put('a', 'new');
    expect(await read('a')).toBe('new');
  });

  it('returns an object with its type, metadata and digest', async () => {
    const { ETag } = await put('a/b c+ü.txt', 'hello', { ContentType: 'text/plain', Metadata: { rows: '7' } });
    const object = await client.send(new GetObjectCommand({ Bucket, Key: 'a/b c+ü.txt' }));
    expect(await object.Body!.transformToString()).toBe('hello');
    expect(object).toMatchObject({ ContentType: 'text/plain', Metadata: { rows: '7' }, ContentLength: 5, ETag });
    expect(ETag).toBe('"5d41402abc4b2a76b9719d911017c592"');
  });

  it('stores several megabytes of binary data', async () => {
    const bytes = Uint8Array.from({ length: 5_000_000 }, (_, index) => (index * 31) % 251);
    await put('large', bytes);
    const object = await client.send(new GetObjectCommand({ Bucket, Key: 'large' }));
    expect(Buffer.compare(await object.Body!.transformToByteArray(), bytes)).toBe(0);
  });

  it('accepts a stream, which the SDK sends in chunks with a trailing checksum', async () => {
    const Body = Readable.from([Buffer.from('one '), Buffer.from('two')]);
    await client.send(new PutObjectCommand({ Bucket, Key: 'stream', Body, ContentLength: 7 }));
    expect(await read('stream')).toBe('one two');
  });

  it('rejects bytes that do not match their checksum', async () => {
    await expect(put('x', 'hello', { ContentMD5: 'AAAAAAAAAAAAAAAAAAAAAA==' })).rejects.toThrow(/did not match/);
    await expect(read('x')).rejects.toMatchObject({ name: 'NoSuchKey' });
  });

  it('replaces an object', async () => {
    await put('k', 'a longer first version');
    await put('k', 'second');
    expect(await read('k')).toBe('second');
  });

  it('returns the size of an object without its bytes', async () => {
    await put('k', '0123456789');
    const { ContentLength, LastModified } = await client.send(new HeadObjectCommand({ Bucket, Key: 'k' }));
    expect(ContentLength).toBe(10);
    expect(Math.abs(LastModified!.getTime() - clock.now())).toBeLessThan(60_000);
  });

  it('returns S3’s errors for missing objects and buckets', async () => {
    await expect(read('nothing')).rejects.toMatchObject({ name: 'NoSuchKey', $metadata: { httpStatusCode: 404 } });
    await expect(client.send(new HeadObjectCommand({ Bucket, Key: 'nothing' }))).rejects.toMatchObject({
      name: 'NotFound',
    });
    await expect(client.send(new GetObjectCommand({ Bucket: 'elsewhere', Key: 'k' }))).rejects.toMatchObject({
      name: 'NoSuchBucket',
    });
    await expect(client.send(new HeadBucketCommand({ Bucket: 'elsewhere' }))).rejects.toMatchObject({
      name: 'NotFound',
    });
  });

  it('deletes an object, and again without an error', async () => {
    await put('k', 'x');
    for (const _ of [1, 2]) await client.send(new DeleteObjectCommand({ Bucket, Key: 'k' }));
    await expect(read('k')).rejects.toMatchObject({ name: 'NoSuchKey' });
  });

  it('lists keys in order, by prefix, page and folder', async () => {
    for (const key of ['b/2', 'a', 'b/1', 'c', 'b/1/x']) await put(key, key);
    const list = (more = {}) => client.send(new ListObjectsV2Command({ Bucket, ...more }));
    const keys = (output: ListObjectsV2CommandOutput) => (output.Contents ?? []).map(({ Key }) => Key);
    expect(keys(await list())).toEqual(['a', 'b/1', 'b/1/x', 'b/2', 'c']);
    expect(keys(await list({ Prefix: 'b/' }))).toEqual(['b/1', 'b/1/x', 'b/2']);
    const first = await list({ MaxKeys: 2 });
    expect([keys(first), first.IsTruncated, first.KeyCount]).toEqual([['a', 'b/1'], true, 2]);
    const rest = await list({ ContinuationToken: first.NextContinuationToken });
    expect([keys(rest), rest.IsTruncated]).toEqual([['b/1/x', 'b/2', 'c'], false]);
    const folders = await list({ Delimiter: '/' });
    expect([keys(folders), folders.CommonPrefixes]).toEqual([['a', 'c'], [{ Prefix: 'b/' }]]);
    expect(keys(await list({ StartAfter: 'b/1/x' }))).toEqual(['b/2', 'c']);
    const { Buckets } = await client.send(new ListBucketsCommand({}));
    expect(Buckets?.map(({ Name }) => Name)).toEqual([Bucket]);
  });

  it('encodes listed keys when the client asks for it, and names the encoding', async () => {
    await put('a b/50% + ü', 'x');
    const list = (more = {}) => client.send(new ListObjectsV2Command({ Bucket, EncodingType: 'url', ...more }));
    const { Contents, EncodingType } = await list();
    expect([Contents?.[0]?.Key, EncodingType]).toEqual(['a%20b/50%25%20%2B%20%C3%BC', 'url']);
    expect((await list({ Delimiter: '/' })).CommonPrefixes).toEqual([{ Prefix: 'a%20b/' }]);
    await expect(list({ EncodingType: 'base64' })).rejects.toMatchObject({ name: 'InvalidArgument' });
  });

  it('rejects calls that the caller’s role does not allow', async () => {
    await put('k', 'x');
    denied.add('s3:GetObject');
    await expect(read('k')).rejects.toMatchObject({ name: 'AccessDenied', $metadata: { httpStatusCode: 403 } });
  });

  it('hides whether a key exists from callers who may not list', async () => {
    denied.add('s3:ListBucket');
    await expect(read('nothing')).rejects.toMatchObject({ name: 'AccessDenied' });
  });

  it('rejects unsupported parameters and headers', async () => {
    await expect(client.send(new GetObjectTaggingCommand({ Bucket, Key: 'k' }))).rejects.toMatchObject({
      name: 'NotImplemented',
    });
    for (const more of [{ ACL: 'public-read' }, { IfMatch: '"x"' }, { IfNoneMatch: '*' }]) {
      await expect(put('k', 'x', more)).rejects.toMatchObject({ name: 'NotImplemented' });
    }
    await expect(read('k', { Range: 'bytes=0-1' })).rejects.toMatchObject({ name: 'NotImplemented' });
  });

  it('deletes incomplete files of a crash at start', async () => {
    await put('k', 'whole');
    const path = join(folder, 's3', Bucket);
    writeFileSync(join(path, 'left.aside'), 'half');
    await s3.start();
    expect(readdirSync(path)).toHaveLength(1);
    expect(await read('k')).toBe('whole');
  });

  it.each([
    ['is empty', ''],
    ['has a header of four gigabytes', '\xff\xff\xff\xff{}'],
    ['has a header that is no JSON', '\x02\x00\x00\x00[x'],
    ['has a header without a key', '\x02\x00\x00\x00{}'],
    ['is shorter than its header says', '\x50\x00\x00\x00{"key":"k","size":900}'],
  ])('answers one request with an error when a file %s, and closes it', async (_, content) => {
    await put('k', 'x');
    await put('other', 'fine');
    const path = join(folder, 's3', Bucket, createHash('sha256').update('k').digest('hex'));
    writeFileSync(path, content, 'latin1');
    const countOpen = () =>
      readdirSync('/proc/self/fd').filter((fd) => {
        try {
          return readlinkSync(`/proc/self/fd/${fd}`) === path;
        } catch {
          return false;
        }
      }).length;
    for (const _ of [1, 2]) await expect(read('k')).rejects.toMatchObject({ name: 'InternalError' });
    if (process.platform === 'linux') expect(countOpen()).toBe(0);
    expect(await read('other')).toBe('fine');
    const { Contents } = await client.send(new ListObjectsV2Command({ Bucket }));
    expect(Contents?.map(({ Key }) => Key)).toEqual(['other']);
  });

  it('answers a read with an error and a log line when a byte of the object has changed', async () => {
    await put('reports/k', 'The whole report.');
    const path = join(folder, 's3', Bucket, createHash('sha256').update('reports/k').digest('hex'));
    const bytes = readFileSync(path);
    bytes[bytes.length - 3]! ^= 1;
    writeFileSync(path, bytes);
    logged = '';
    await expect(read('reports/k')).rejects.toMatchObject({ name: 'InternalError' });
    expect(logged).toContain(`the object reports/k in ${path} is damaged`);
    await put('reports/k', 'Written again.');
    expect(await read('reports/k')).toBe('Written again.');
  });

  it('keeps its objects after a restart', async () => {
    await put('k', 'stored');
    s3.load([bucket(Bucket)]);
    expect(await read('k')).toBe('stored');
  });

  it('rejects an invalid bucket name', () => {
    expect(() => s3.load([bucket('Not_A_Name')])).toThrow(/Not_A_Name is not a valid bucket name/);
  });
});

function bucket(name: string) {
  return {
    logicalId: 'Bucket',
    type: 'AWS::S3::Bucket',
    properties: {},
    physicalId: name,
    attributes: {},
    metadata: {},
  };
}
