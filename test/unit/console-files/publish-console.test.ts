import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { type ConsoleStore, createPublisher } from '../../../lambdas/stack/console-store.ts';
import { handleCustomResource } from '../../../lambdas/stack/custom-resource.ts';

type StoredFile = Parameters<ConsoleStore['write']>[0];

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

function aRelease(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'release-'));
  folders.push(folder);
  for (const [name, text] of Object.entries({ 'index.html': '<html>', ...files }))
    writeFileSync(join(folder, name), text);
  return folder;
}

function aBucket() {
  const objects = new Map<string, StoredFile>();
  const written: string[] = [];
  const store: ConsoleStore = {
    async write(file) {
      written.push(file.key);
      objects.set(file.key, file);
    },
    read: async (key) => objects.get(key) && Buffer.from(objects.get(key)?.bytes ?? '').toString(),
    list: async () =>
      new Map([...objects].map(([key, { bytes }]) => [key, createHash('md5').update(bytes).digest('hex')])),
    async delete(key) {
      objects.delete(key);
    },
  };
  return { objects, written, store };
}

const properties = { Release: 'x', Config: { client_id: 'abc' } };

describe('createPublisher', () => {
  it('writes the page after all files that it refers to', async () => {
    const { written, store, objects } = aBucket();
    await createPublisher(aRelease({ 'main-AAAAAAAA.js': '1', 'main-AAAAAAAA.css': '2' }), store).publish(properties);
    expect(written.slice(-2)).toEqual(['console/index.html', 'release.json']);
    expect(objects.get('console/main-AAAAAAAA.js')).toMatchObject({
      contentType: 'text/javascript; charset=utf-8',
      cacheControl: 'public, max-age=31536000, immutable',
    });
    expect(objects.get('console/config.json')).toMatchObject({
      cacheControl: 'no-cache',
      bytes: Buffer.from('{"client_id":"abc"}'),
    });
  });

  it('keeps the files of the previous release, deletes older ones and writes no file twice', async () => {
    const { objects, written, store } = aBucket();
    for (const letter of ['A', 'B', 'C']) {
      const files = { [`main-${letter.repeat(8)}.js`]: letter, 'icon-DDDDDDDD.svg': '<svg>' };
      await createPublisher(aRelease(files), store).publish(properties);
    }
    expect([...objects.keys()].filter((key) => key.includes('main')).sort()).toEqual([
      'console/main-BBBBBBBB.js',
      'console/main-CCCCCCCC.js',
    ]);
    expect(written.filter((key) => key.includes('icon'))).toHaveLength(1);
  });

  it('empties the bucket when the stack is deleted', async () => {
    const { objects, store } = aBucket();
    const publisher = createPublisher(aRelease({ 'main-AAAAAAAA.js': '1' }), store);
    await publisher.publish(properties);
    await publisher.remove();
    expect(objects.size).toBe(0);
  });
});

describe('handleCustomResource', () => {
  it.each([
    ['Create', {}, { Status: 'SUCCESS' }],
    ['Update', { publish: () => Promise.reject(new Error('no space')) }, { Status: 'FAILED', Reason: 'no space' }],
    ['Delete', { publish: () => Promise.reject(new Error('not called')) }, { Status: 'SUCCESS' }],
  ])('tells CloudFormation how %s ended', async (RequestType, overrides, expected) => {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const received = once(server, 'request').then(async ([request, response]) => {
      const body = await json(request);
      response.end();
      return { body, contentType: request.headers['content-type'] };
    });
    const handle = handleCustomResource({
      physicalId: 'the-files',
      publish: async () => {},
      remove: async () => {},
      log: () => {},
      ...overrides,
    });
    const ids = { StackId: 's', RequestId: 'r', LogicalResourceId: 'l' };
    const ResponseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    await handle({ RequestType, ResponseURL, ...ids, ResourceProperties: properties });
    expect(await received).toEqual({
      body: { ...ids, PhysicalResourceId: 'the-files', ...expected },
      contentType: '',
    });
    server.close();
  });
});
