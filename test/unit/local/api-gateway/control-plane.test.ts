import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { AllowedHosts } from '../../../../local/allowed-hosts.ts';
import { type ControlPlane, createControlPlane } from '../../../../local/api-gateway/control-plane.ts';
import { UsagePlans } from '../../../../local/api-gateway/usage-plans.ts';
import { batchMessages } from '../../../../local/aws/message-transport.ts';
import type { Access } from '../../../../local/aws/service.ts';
import { Clock } from '../../../../local/clock/clock.ts';
import { Storage } from '../../../../local/storage/storage.ts';
import type { Resource, Stack } from '../../../../local/template/resource-type.ts';

const plan = {
  type: 'AWS::ApiGateway::UsagePlan',
  physicalId: 'plan1',
  properties: {
    UsagePlanName: 'consumers',
    ApiStages: [{ ApiId: 'api', Stage: 'prod' }],
    Throttle: { RateLimit: 1, BurstLimit: 2 },
    Tags: [{ Key: 'usage-plan', Value: 'consumers' }],
  },
} as unknown as Resource;

const value = 'abcdefghijklmnopqrstuvwxyz';

let folder: string;
let storage: Storage;
let control: ControlPlane;
let accesses: Access[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gateway-'));
  storage = new Storage(folder);
  const environment = { region: 'us-east-1' } as Parameters<typeof createControlPlane>[0]['environment'];
  control = createControlPlane({ storage, clock: new Clock(), environment });
  control.load([plan]);
  accesses = [];
});
afterEach(() => {
  storage.close();
  rmSync(folder, { recursive: true, force: true });
});

async function call(method: string, path: string, input?: object, query = '') {
  const body = Buffer.from(input ? JSON.stringify(input) : '');
  const request = { method, path, query: new URLSearchParams(query), headers: {}, body };
  const response = await control.service.handle(request, (asked) => void accesses.push(...asked));
  return { status: response.status, body: response.body === '' ? undefined : JSON.parse(String(response.body)) };
}

const plans = () => {
  const stack = { findByType: (type: string) => (type === plan.type ? [plan] : []) } as unknown as Stack;
  return new UsagePlans(stack, 'api', 'prod', control.keys);
};

describe('API Gateway control plane', () => {
  it('adds a key to a plan, with its own token bucket', async () => {
    const { body } = await call('POST', '/apikeys', { name: 'one', value, enabled: true });
    expect(plans().find(value)).toBeUndefined();
    expect((await call('POST', '/usageplans/plan1/keys', { keyId: body.id, keyType: 'API_KEY' })).status).toBe(201);
    const known = plans();
    expect((await call('GET', '/usageplans/plan1/keys')).body.item).toMatchObject([{ name: 'one', value }]);
    const key = known.find(value)!;
    expect([1, 2, 3].map(() => known.admits(key, '/incidents/GET', 0))).toEqual([true, true, false]);
  });

  it('deletes a key together with its usage plan keys', async () => {
    const { body } = await call('POST', '/apikeys', { name: 'one', value, enabled: true });
    await call('POST', '/usageplans/plan1/keys', { keyId: body.id, keyType: 'API_KEY' });
    expect((await call('DELETE', `/apikeys/${body.id}`)).status).toBe(202);
    expect(plans().find(value)).toBeUndefined();
    await expect(call('DELETE', `/apikeys/${body.id}`)).rejects.toMatchObject({ code: 'NotFoundException' });
  });

  it('lists plans, and keys by name prefix', async () => {
    expect((await call('GET', '/usageplans')).body.item).toEqual([
      {
        id: 'plan1',
        name: 'consumers',
        apiStages: [{ apiId: 'api', stage: 'prod' }],
        throttle: { rateLimit: 1, burstLimit: 2 },
      },
    ]);
    for (const name of ['one', 'only', 'two']) await call('POST', '/apikeys', { name, value: value + name });
    const names = async (query: string) =>
      (await call('GET', '/apikeys', undefined, query)).body.item.map((key: { name: string }) => key.name);
    expect((await names('name=on')).sort()).toEqual(['one', 'only']);
    const first = (await call('GET', '/apikeys', undefined, 'limit=2')).body;
    expect(await names(`limit=2&position=${first.position}`)).toHaveLength(1);
  });

  it.each([
    ['a value that is too short', 'POST', '/apikeys', { value: 'short' }, 'BadRequestException'],
    ['a property it does not know', 'POST', '/apikeys', { value, customerId: 'x' }, 'BadRequestException'],
    ['an unknown plan', 'POST', '/usageplans/no/keys', { keyId: 'x', keyType: 'API_KEY' }, 'NotFoundException'],
    ['an unknown key', 'POST', '/usageplans/plan1/keys', { keyId: 'x', keyType: 'API_KEY' }, 'NotFoundException'],
    ['any other call', 'GET', '/domainnames', undefined, 'UnknownOperationException'],
  ])('rejects %s', async (_, method, path, input, code) => {
    await expect(call(method, path, input)).rejects.toMatchObject({ code });
  });

  it('rejects a duplicate value', async () => {
    await call('POST', '/apikeys', { name: 'one', value });
    await expect(call('POST', '/apikeys', { name: 'two', value })).rejects.toMatchObject({ code: 'ConflictException' });
  });

  const arn = 'arn:aws:apigateway:us-east-1::/apikeys';

  it('requires the same permissions as AWS', async () => {
    await call('POST', '/apikeys', { name: 'one', value });
    expect(accesses).toEqual([{ action: 'apigateway:POST', resource: arn, context: { 'aws:TagKeys': [] } }]);
  });

  it('requires permission to set tags, and passes tags as condition keys', async () => {
    const { body } = await call('POST', '/apikeys', { name: 'one', value, tags: { team: 'a' } });
    const context = { 'aws:RequestTag/team': 'a', 'aws:TagKeys': ['team'] };
    const tags = `arn:aws:apigateway:us-east-1::/tags/${encodeURIComponent(arn)}%2F*`;
    expect(accesses).toEqual([
      { action: 'apigateway:POST', resource: arn, context },
      { action: 'apigateway:PUT', resource: tags, context },
    ]);
    expect((await call('GET', '/apikeys')).body.item).toMatchObject([{ tags: { team: 'a' } }]);
    await call('POST', '/usageplans/plan1/keys', { keyId: body.id, keyType: 'API_KEY' });
    expect(accesses.at(-1)?.context).toMatchObject({ 'aws:ResourceTag/usage-plan': 'consumers' });
    await call('DELETE', `/apikeys/${body.id}`);
    expect(accesses.at(-1)?.context).toMatchObject({ 'aws:ResourceTag/team': 'a' });
  });

  it('gives keys of an earlier release the tags of their plan', async () => {
    const { body } = await call('POST', '/apikeys', { name: 'one', value });
    await call('POST', '/usageplans/plan1/keys', { keyId: body.id, keyType: 'API_KEY' });
    storage.exec('UPDATE api_gateway_keys SET tags = NULL');
    control.load([plan]);
    expect(control.keys.get(body.id)?.tags).toEqual({ 'usage-plan': 'consumers' });
  });
});

const from = (headers: Record<string, string>, localAddress = '127.0.0.1') => ({
  headers,
  socket: { localAddress, remoteAddress: '127.0.0.1' },
});

describe('AllowedHosts', () => {
  const hosts = new AllowedHosts(3000, ['Incidents.lan', 'proxy.lan:8443']);

  it.each([
    ['localhost:3000', true],
    ['LOCALHOST:3000', true],
    ['[::1]:3000', true],
    ['incidents.lan:3000', true],
    ['proxy.lan:8443', true],
    ['localhost', false],
    ['localhost:3001', false],
    ['proxy.lan:3000', false],
    ['localhost:3000.evil.example', false],
    ['evil.example:3000', false],
    ['', false],
  ])('%s: %s', (host, allowed) => {
    expect(hosts.allowsHost(from({ host }))).toBe(allowed);
  });

  it('allows only the address that the client connected to', () => {
    expect(hosts.allowsHost(from({ host: '192.168.1.5:3000' }, '::ffff:192.168.1.5'))).toBe(true);
    expect(hosts.allowsHost(from({ host: '[fe80::1]:3000' }, 'fe80::1'))).toBe(true);
    expect(hosts.allowsHost(from({ host: '192.168.1.6:3000' }, '192.168.1.5'))).toBe(false);
  });

  it('serves the loopback names to local clients only, behind a proxy', () => {
    const behindProxy = new AllowedHosts(3000, ['incidents.lan'], 'local clients');
    const send = (headers: Record<string, string>, remoteAddress: string) =>
      behindProxy.allowsHost({ headers, socket: { localAddress: '192.168.1.5', remoteAddress } });
    const forwarded = { 'x-forwarded-for': '203.0.113.9' };
    expect(send({ host: 'incidents.lan:3000', ...forwarded }, '127.0.0.1')).toBe(true);
    for (const host of ['localhost:3000', '127.0.0.1:3000', '[::1]:3000', '192.168.1.5:3000']) {
      expect(send({ host }, '::ffff:127.0.0.1')).toBe(true);
      expect(send({ host, ...forwarded }, '127.0.0.1')).toBe(false);
      expect(send({ host }, '192.168.1.9')).toBe(false);
    }
  });

  it('accepts a host without the default port', () => {
    expect(new AllowedHosts(80).allowsHost(from({ host: 'localhost' }))).toBe(true);
  });

  it.each([
    [undefined, true],
    ['http://localhost:3000', true],
    ['https://localhost:3000', false],
    ['http://localhost:5173', false],
    ['http://evil.example', false],
    ['null', false],
  ])('origin %s: %s', (origin, allowed) => {
    expect(hosts.allowsOrigin(from(origin === undefined ? {} : { origin }))).toBe(allowed);
  });
});

const lists = async (count: number) => {
  const { port1, port2 } = new MessageChannel();
  const post = batchMessages<number>(port1);
  for (let number = 1; number <= count; number++) Promise.resolve(number).then(post);
  const received: number[][] = [];
  while (received.flat().length < count) received.push(...((await once(port2, 'message')) as number[][]));
  port1.close();
  return received;
};

describe('batchMessages', () => {
  it('posts the messages of one turn together', async () => {
    expect(await lists(3)).toEqual([[1, 2, 3]]);
  });

  it('limits the batch size and keeps the order', async () => {
    const received = await lists(10);
    expect(received.flat()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(received[0]).toHaveLength(4);
  });

  it('posts a single message alone', async () => {
    expect(await lists(1)).toEqual([[1]]);
  });
});
