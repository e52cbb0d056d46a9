import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ControlPlane, createControlPlane } from '../../../../local/api-gateway/control-plane.ts';
import { UsagePlans } from '../../../../local/api-gateway/usage-plans.ts';
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
    expect([1, 2, 3].map(() => known.admits(key, 0))).toEqual([true, true, false]);
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
