import { execFile } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { AdminDeleteUserCommand, AdminListGroupsForUserCommand } from '@aws-sdk/client-cognito-identity-provider';
import {
  type AttributeValue,
  CreateTableCommand,
  DeleteTableCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  paginateScan,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { ListStateMachinesCommand, SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import { GetQueueAttributesCommand, ListQueuesCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { rewindRecords } from '../../bin/rewind-records.ts';
import { type StoredKind, storedDefaults } from '../../lambdas/records/stored-document.ts';
import type { AlarmState } from '../../local/cloudwatch/alarms.ts';
import type { MetricTotals } from '../../local/cloudwatch/metrics.ts';
import { root } from '../../tools/build/local-build.ts';
import { creations } from '../hostile/pools.ts';
import { becomes } from '../support/becomes.ts';
import { runInProcess } from '../support/command-line.ts';
import { getToken } from '../support/http.ts';
import { alert, aWebhook as anInboundWebhook, send } from '../support/inbound-webhooks.ts';
import { type Api, anIncident, createApi, getApi } from '../support/incidents.ts';
import { waitForJob } from '../support/jobs.ts';
import { aPerson, aSchedule } from '../support/on-call.ts';
import { administer, createPerson, findUserPoolId, getTokens, replaceRole } from '../support/people.ts';
import { aReceiver, aWebhook, type Receiver } from '../support/receivers.ts';
import { type Service, startService } from '../support/service.ts';
import { signAwsCall } from '../support/signed-aws-call.ts';
import { createTableClient, findRecordsTable, findTable } from '../support/tables.ts';
import { until } from '../support/until.ts';

const execute = promisify(execFile);

let service: Service;
let manager: Api;
let receiver: Receiver;
beforeAll(async () => {
  service = await startService();
  manager = await getApi(service, 'manager');
  receiver = await aReceiver();
});
afterAll(async () => {
  await receiver?.stop();
  await service?.stop();
});

/** The log without buffering: the server writes it a moment after the response. */
async function readLog(untilText: string): Promise<string> {
  const file = join(service.dataFolder, 'server.log');
  return until(
    () => (existsSync(file) ? readFileSync(file, 'utf8') : ''),
    (text) => text.includes(untilText),
  );
}

async function readMetrics(): Promise<{ metrics: MetricTotals[]; alarms: AlarmState[] }> {
  return (await (await fetch(`${service.baseUrl}/_local/metrics`)).json()) as never;
}

async function setFault(fault: Record<string, unknown>): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  await fetch(`${service.baseUrl}/_local/faults`, { method: 'POST', headers, body: JSON.stringify(fault) });
}

const clearFaults = () => fetch(`${service.baseUrl}/_local/faults`, { method: 'DELETE' });

describe('the log of a journey', () => {
  it('has one line per request with its caller, AWS calls and capacity, and no token, secret or body', async () => {
    const bodyText = 'Quartz-body-4711';
    const headerSecret = 'Header-secret-0815';
    const person = await createPerson(service, 'ada@example.com', 'itsm_manager');
    const tokens = await getTokens(service, person);
    const ada = createApi(service, tokens.access_token as string);
    const { body: key } = await ada.post('/api-keys', { name: 'Import', role: 'itsm_agent' });
    const { secret } = await aWebhook(manager, receiver, {
      sign_payloads: true,
      headers: { 'X-Token': headerSecret },
    });
    const inbound = await anInboundWebhook(manager, { auth: { type: 'signature' } }).catch(() => undefined);
    const { body: incident } = await anIncident(ada, { short_description: bodyText, priority: 'P2' });
    await receiver.until(1);
    await ada.patch(`/incidents/${incident.id}`, { description: bodyText });
    await ada.get(`/incidents?q=${bodyText}`);
    await ada.post('/ai/ask', { question: `What about ${bodyText}?` });
    const rejected = await ada.post('/incidents', { short_description: bodyText, priority: 'P9' });
    const last = await ada.get(`/incidents/${incident.id}`);

    const log = await readLog(`"request_id":"${last.headers.get('x-request-id')}"`);
    const secrets = [
      ...Object.values(tokens).filter((token) => String(token).length > 20),
      key.key,
      person.password,
      secret,
      inbound?.body.secret,
      headerSecret,
      bodyText,
      ...Object.values(service.credentials.clients).map(({ client_secret }) => client_secret),
      service.awsCredentials.secretAccessKey,
    ].filter((value): value is string => typeof value === 'string');
    expect(secrets.length).toBeGreaterThan(9);
    expect(secrets.filter((each) => log.includes(each))).toEqual([]);

    const lines = log
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .filter(({ message }) => message === 'request');
    const toLine = (id: string | null) => lines.filter(({ request_id }) => request_id === id);
    expect(toLine(last.headers.get('x-request-id'))).toEqual([
      expect.objectContaining({
        operation: 'getIncident',
        route: '/api/v1/incidents/{id}',
        status: 200,
        duration_ms: expect.any(Number),
        caller: expect.any(String),
        aws_calls: expect.any(Number),
        read_units: expect.any(Number),
        write_units: 1,
        cold_start: expect.any(Boolean),
      }),
    ]);
    expect(toLine(last.headers.get('x-request-id'))[0].aws_calls).toBeGreaterThan(1);
    expect(toLine(last.headers.get('x-request-id'))[0].read_units).toBeGreaterThan(0);
    expect(toLine(rejected.headers.get('x-request-id'))).toEqual([expect.objectContaining({ status: 400 })]);
    expect(lines.filter(({ operation }) => operation === 'createIncident')[0]).toMatchObject({ cold_start: true });
  });

  it('emits the business metrics', async () => {
    const names = ({ metrics }: { metrics: MetricTotals[] }) =>
      metrics
        .filter(({ namespace, sum }) => namespace === 'IncidentService' && sum > 0)
        .map(({ name, dimensions: { service: _, ...others } }) => [name, ...Object.values(others)].join(' '));
    expect(names(await readMetrics())).toEqual(
      expect.arrayContaining(['IncidentsCreated P2', 'DeliveryAttempts', 'DeliveriesSucceeded', 'AnswerCacheMisses']),
    );
  });
});

describe('stored items of the previous release', () => {
  const file = new URL('../support/fixtures/items-of-0.1.0.json', import.meta.url);
  const items = JSON.parse(readFileSync(file, 'utf8')) as Record<string, { B?: string; S?: string }>[];
  const toId = (type: string) => items.find((item) => item.sk?.S === '#' && item.type?.S === type)?.pk?.S ?? '';

  beforeAll(async () => {
    const client = createTableClient(service);
    const TableName = await findRecordsTable(client);
    const toValue = (value: { B?: string }) => (value.B === undefined ? value : { B: Buffer.from(value.B, 'base64') });
    for (const item of items) {
      const values = Object.entries(item).map(([name, value]) => [name, toValue(value) as AttributeValue]);
      await client.send(new PutItemCommand({ TableName, Item: Object.fromEntries(values) }));
    }
    client.destroy();
  });

  it('keep preferences, followed groups, API keys and deduplication keys', async () => {
    const { body: preferences } = await manager.get('/me/preferences');
    expect(preferences.views).toEqual([expect.objectContaining({ list: 'incidents', query: 'state=new' })]);
    expect(preferences.notifications).toMatchObject({ sla: false, notes: true });
    expect((await manager.get('/notifications/settings')).body.groups).toEqual(['mail-team']);
    const { body: keys } = await (await getApi(service, 'admin')).get('/api-keys');
    expect(keys.data).toContainEqual(expect.objectContaining({ name: 'monitoring', role: 'viewer' }));
    const { body: event } = await send(service, toId('inbound_webhook'), alert());
    expect(event).toMatchObject({ status: 'deduplicated', incident_id: expect.stringMatching(/^INC/) });
  });

  it('keep webhooks, changes and requests', async () => {
    const list = async (path: string) => (await manager.get(path)).body.data.map(({ id }: { id: string }) => id);
    for (const [type, path] of [
      ['inbound_webhook', '/webhooks/inbound'],
      ['outbound_webhook', '/webhooks/outbound'],
      ['change', '/changes'],
      ['request', '/requests'],
    ] as const) {
      expect(await list(path)).toContain(toId(type));
      expect((await manager.get(`${path}/${toId(type)}`)).status).toBe(200);
    }
  });

  it('keep the conditions of inbound webhooks that have rules', async () => {
    const id = toId('inbound_webhook');
    const item = items.find(({ pk, sk }) => pk?.S === id && sk?.S === '#') ?? {};
    const firing = { field: 'alert.status', operator: 'eq', value: 'firing' };
    const rules = [{ when: [{ ...firing, value: 'over' }], action: 'resolve_incident', field_mapping: {} }];
    const document = { ...JSON.parse(item.document?.S ?? ''), filters: [firing], rules };
    const Key = { pk: { S: id }, sk: { S: '#' } };
    const client = createTableClient(service);
    const TableName = await findRecordsTable(client);
    const values = { ':document': { S: JSON.stringify(document) } };
    const UpdateExpression = 'SET document = :document';
    await client.send(new UpdateItemCommand({ TableName, Key, UpdateExpression, ExpressionAttributeValues: values }));
    client.destroy();
    expect((await manager.get(`/webhooks/inbound/${id}`)).body).toMatchObject({ filters: [], when: [firing], rules });
    const deliver = async (status: string) => (await send(service, id, alert({ host: 'old', status }))).body.status;
    expect([await deliver('paused'), await deliver('firing'), await deliver('over')]).toEqual([
      'filtered',
      'created',
      'updated',
    ]);
    const site = { field: 'alert.site', operator: 'eq', value: 'a' };
    const { body: changed } = await manager.patch(`/webhooks/inbound/${id}`, { filters: [site] });
    expect(changed).toMatchObject({ filters: [site], when: [firing], rules });
    expect(await deliver('firing')).toBe('filtered');
  });

  it('are read, listed and changed', async () => {
    const client = createTableClient(service);
    const TableName = await findRecordsTable(client);
    const incident = `/incidents/${toId('incident')}`;
    expect((await manager.get(incident)).body).toMatchObject({ state: 'in_progress', priority: 'P1' });
    expect((await manager.get(`${incident}/notes`)).body.data).toHaveLength(1);
    const { data: versions } = (await manager.get(`${incident}/history`)).body;
    expect(versions.filter(({ origin }: { origin: { kind: string } }) => origin.kind === 'api')).toHaveLength(2);
    expect((await manager.patch(incident, { state: 'resolved' })).body).toMatchObject({ state: 'resolved' });
    expect((await manager.get(`/knowledge/articles/${toId('article')}`)).body.title).toBe('Restart the mail relay');
    const { data } = (await manager.get('/cmdb/cis')).body;
    expect(data.map(({ id }: { id: string }) => id)).toContain(toId('ci'));
    const { Item = {} } = await client.send(
      new GetItemCommand({ TableName, Key: { pk: { S: incident.slice('/incidents/'.length) }, sk: { S: '#' } } }),
    );
    expect(Item.schema).toEqual({ N: '1' });
    client.destroy();
  });

  // Every optional field was new in some release.
  it('of every kind are read, listed, exported and updated without any of their optional fields', async () => {
    const { body: incident } = await anIncident(manager, { category: 'mail', description: 'Old' });
    await manager.post(`/incidents/${incident.id}/notes`, { body: 'An old note' });
    const create = async (path: string, fields: Record<string, unknown>) => (await manager.post(path, fields)).body.id;
    const inbound = (await anInboundWebhook(manager)).body.id;
    const outbound = (await aWebhook(manager, receiver, { events: ['incident.updated'] })).id;
    const bulk = { operation: 'create', records: [{ short_description: 'From an old job' }] };
    const { job_id } = (await manager.post('/incidents/bulk', bulk)).body;
    await waitForJob(service, manager, job_id);
    await send(service, inbound, alert({ host: 'stripped' }));
    await manager.post(`/webhooks/outbound/${outbound}/test`, {});
    await service.advance('1s');
    const { email } = await aPerson(service, 'on-call@example.com');
    const steps = [{ targets: [{ type: 'person', id: email }], wait_minutes: 5 }];
    const records: readonly (readonly [string, string, Record<string, unknown>])[] = [
      ['/incidents', incident.id, { category: 'network' }],
      ['/changes', await create('/changes', { short_description: 'Old change' }), { test_plan: 'Try it' }],
      ['/requests', await create('/requests', { short_description: 'Old request' }), { item: 'laptop' }],
      ['/cmdb/cis', await create('/cmdb/cis', { name: 'old-host', class: 'server' }), { owner: 'ada' }],
      ['/knowledge/articles', await create('/knowledge/articles', { title: 'Old', body: 'Text' }), { tags: ['a'] }],
      ['/schedules', (await aSchedule(manager, [email])).body.id, { description: 'Updated' }],
      ['/escalation-policies', await create('/escalation-policies', { name: 'Old', steps }), { repeat: 1 }],
      ['/problems', await create('/problems', { short_description: 'Old problem' }), { workaround: 'Restart it' }],
      ['/calendars', await create('/calendars', { ...creations['/calendars'] }), { description: 'Updated' }],
      ['/sla-policies', await create('/sla-policies', { ...creations['/sla-policies'] }), { warning_percent: 80 }],
      ['/webhooks/inbound', inbound, { description: 'Updated' }],
      ['/webhooks/outbound', outbound, { timeout_seconds: 7 }],
    ];
    const proposed = { operation: 'createIncident', body: { short_description: 'Old' }, evidence: 'Old' };
    const proposal = await create('/proposals', proposed);
    const ids = [...records.map(([, id]) => id), job_id, proposal];
    expect(await removeOptionalFields(ids)).toEqual(new Set(Object.keys(storedDefaults)));

    const check = async (path: string) => expect([path, (await manager.get(path)).status]).toEqual([path, 200]);
    const list = async (path: string) => {
      const { status, body } = await manager.get(path);
      expect([path, status]).toEqual([path, 200]);
      expect([path, body.data.length > 0]).toEqual([path, true]);
      return body.data;
    };
    for (const [collection, id] of records) {
      await check(`${collection}/${id}`);
      expect(await list(`${collection}?limit=200`)).toContainEqual(expect.objectContaining({ id }));
    }
    await check(`/proposals/${proposal}`);
    await list('/proposals');
    await list(`/incidents/${incident.id}/notes`);
    await list(`/webhooks/inbound/${inbound}/events`);
    await list(`/webhooks/outbound/${outbound}/deliveries`);
    expect(await list('/jobs')).toContainEqual(expect.objectContaining({ job_id }));
    await check(`/jobs/${job_id}`);
    expect((await (await getApi(service, 'admin')).get('/audit?limit=200')).status).toBe(200);
    expect(await exportIncidents()).toContainEqual(expect.objectContaining({ id: incident.id, category: null }));
    for (const [collection, id, patch] of records) {
      expect((await manager.patch(`${collection}/${id}`, patch)).body).toMatchObject({ id, ...patch });
    }
    await manager.delete(`/webhooks/outbound/${outbound}`);
  });

  /** Removes them from all items about these records, as if a release before all of them had stored the items. */
  async function removeOptionalFields(ids: readonly string[]): Promise<Set<string>> {
    const client = createTableClient(service);
    const found = new Set<string>();
    const strip = (kind: StoredKind, fields: Record<string, unknown>) => {
      found.add(kind);
      for (const name of Object.keys(storedDefaults[kind])) delete fields[name];
    };
    /** The documents in an item: the name of the attribute, and the kind. */
    const findParts = (table: string, item: StoredItem): [string, StoredKind][] => {
      if (item.job) return [['job', 'job']];
      if (item.delivery) return [['delivery', 'delivery']];
      if (item.body_hash || item.sk?.S?.startsWith('event#')) return [['event', 'inbound_event']];
      if (item.record) return [['record', 'outbound_webhook']];
      if (item.entry) return /Events/.test(table) ? [['entry', 'audit_entry']] : [];
      const type = (item.type?.S ?? '') as StoredKind;
      if (!Object.hasOwn(storedDefaults, type)) return [];
      return type === 'inbound_webhook'
        ? [
            ['document', type],
            ['listing', type],
          ]
        : [['document', type]];
    };
    for (const table of [await findRecordsTable(client), await findTable(client, /Events[0-9A-F]{8}$/)]) {
      for await (const { Items = [] } of paginateScan({ client }, { TableName: table })) {
        for (const item of Items.filter((each) => ids.some((id) => JSON.stringify(each).includes(id)))) {
          for (const [attribute, kind] of findParts(table, item)) {
            const stored = item[attribute];
            const fields = JSON.parse(stored?.S ?? Buffer.from(stored?.B ?? '').toString());
            strip(kind, attribute === 'record' || attribute === 'listing' ? fields.document : fields);
            const json = JSON.stringify(fields);
            item[attribute] = stored?.S === undefined ? { B: Buffer.from(json) } : { S: json };
          }
          await putItem(client, table, item);
        }
      }
    }
    client.destroy();
    return found;
  }

  async function exportIncidents(): Promise<unknown[]> {
    const file = join(service.dataFolder, 'export.ndjson');
    const { client_id, client_secret } = service.credentials.clients.manager!;
    const environment = { ITSM_URL: service.baseUrl, ITSM_CLIENT_ID: client_id, ITSM_CLIENT_SECRET: client_secret };
    expect(await runInProcess(['export', file], { environment })).toMatchObject({ code: 0 });
    return readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  }
});

describe('the canary', () => {
  async function runCanary(): Promise<string | null> {
    const path = '/2015-03-31/functions/incidents-local--run-canary/invocations';
    const headers = signAwsCall(service, 'lambda', '', '{}', path);
    const response = await fetch(service.awsUrl + path, { method: 'POST', headers, body: '{}' });
    expect(response.status).toBe(200);
    return response.headers.get('x-amz-function-error');
  }

  const countDeleted = async () => {
    await service.advance('1s', []);
    const { body } = await (await getApi(service, 'admin')).get('/audit?type=record.deleted');
    return body.data.filter(({ details }: { details: { kind: string } }) => details.kind === 'ci').length;
  };

  it('creates, reads, lists and deletes a record as a caller of its own, without an event', async () => {
    expect(await runCanary()).toBeNull();
    expect(await countDeleted()).toBe(1);
    expect((await manager.get('/cmdb/cis?class=canary')).body).toMatchObject({ data: [], total: 0 });
    const { data } = (await manager.get('/events')).body;
    expect(data.filter((event: { data: { name?: string } }) => /canary/i.test(event.data.name ?? ''))).toEqual([]);
  });

  it('only reads in between, and writes again after a quarter of an hour', async () => {
    expect(await runCanary()).toBeNull();
    expect(await countDeleted()).toBe(1);
    await service.advance('15m', []);
    expect(await runCanary()).toBeNull();
    expect(await countDeleted()).toBe(2);
  });

  it('fails while the service does', async () => {
    await setFault({ service: 'dynamodb', error: 'InternalServerError', status: 500 });
    expect(await runCanary()).toBe('Unhandled');
    await clearFaults();
    expect(await runCanary()).toBeNull();
  });
});

describe('alarms', () => {
  /** Latency, delays and rates only need a value; everything else must fail to be seen. */
  const needsValueOnly = (name: string) => /SlowResponses|Behind|ErrorRate/.test(name);
  /** One machine has no quotas, and its queues have no metric of their age. */
  const isOnlyInAws = (name: string) => /Throttled|QueuesBehind/.test(name);

  it('watch metrics that the failing paths emit', async () => {
    await callWatchedRoutes();
    await leavePageUnanswered();
    await breakQueues();
    await breakFunctions();
    const { alarms } = await readMetrics();
    expect(alarms.length).toBeGreaterThan(15);
    const silent = alarms
      .filter(({ name }) => !isOnlyInAws(name))
      .filter(
        ({ name, metrics, raised }) =>
          metrics.every(({ values }) => values === 0) || (!raised && !needsValueOnly(name)),
      );
    expect(silent.map(({ name }) => name)).toEqual([]);
    const deployment = alarms.filter(({ name }) => name.includes('DeploymentErrors'));
    expect(deployment.map(({ metrics }) => metrics.length <= 10)).toEqual([true, true, true]);
  });

  async function callWatchedRoutes(): Promise<void> {
    const { body } = await anIncident(manager);
    await manager.get(`/incidents/${body.id}`);
    await manager.patch(`/incidents/${body.id}`, { subcategory: 'disk' });
    await manager.get('/incidents');
    const { body: webhook } = await anInboundWebhook(manager);
    await send(service, webhook.id, alert());
  }

  /** Its last step ends while the clock moves for the queues. */
  async function leavePageUnanswered(): Promise<void> {
    const { email } = await aPerson(service, 'asleep@example.com');
    const { body: incident } = await anIncident(manager);
    expect((await manager.post(`/incidents/${incident.id}/pages`, { person: email })).status).toBe(201);
  }

  /** Messages that no worker can process, an unreadable record, and an execution that fails. */
  async function breakQueues(): Promise<void> {
    const options = { endpoint: service.awsUrl, region: 'us-east-1', credentials: service.awsCredentials };
    const [sqs, dynamodb, sfn] = [new SQSClient(options), new DynamoDBClient(options), new SFNClient(options)];
    const { QueueUrls = [] } = await sqs.send(new ListQueuesCommand({}));
    const workQueues = QueueUrls.filter((url) => !/DeadLetters|PutAside/.test(url));
    expect(workQueues.length).toBeGreaterThan(2);
    for (const QueueUrl of workQueues) await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: '{not JSON' }));
    const TableName = await findRecordsTable(dynamodb);
    const Item = {
      pk: { S: 'INC0000000' },
      sk: { S: '#' },
      type: { S: 'incident' },
      version: { N: '1' },
      document: { S: '{not JSON' },
    };
    await dynamodb.send(new PutItemCommand({ TableName, Item }));
    const { stateMachines = [] } = await sfn.send(new ListStateMachinesCommand({}));
    for (const { stateMachineArn } of stateMachines) {
      await sfn.send(new StartExecutionCommand({ stateMachineArn, input: '{}' }));
    }
    // Each failed message is received again after its visibility timeout, five times in all.
    await service.advance('30m');
    for (const client of [sqs, dynamodb, sfn]) client.destroy();
  }

  async function breakFunctions(): Promise<void> {
    const fresh = createApi(service, await getToken(service, 'agent'));
    const { body: incident } = await anIncident(manager);
    await setFault({ service: 'bedrock', error: 'ThrottlingException' });
    for (let call = 0; call < 2; call++) {
      const analysis = { record_type: 'incident', record_id: incident.id, analysis_type: 'root_cause' };
      expect((await manager.post('/ai/analyze', analysis)).status).toBe(503);
    }
    await clearFaults();
    await setFault({ service: 'cognito-idp', error: 'InternalErrorException', status: 500 });
    expect((await fresh.get('/me')).status).toBe(503);
    await clearFaults();
    await setFault({ service: 'dynamodb', error: 'ValidationException' });
    const answers = await Promise.all(Array.from({ length: 5 }, () => manager.get('/incidents/INC0000001')));
    expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(500));
    // A function with a version, for the alarms of deployments.
    expect((await manager.patch('/incidents/INC0000001', { priority: 'P1' })).status).toBe(500);
    await replaceRole(service, 'ada@example.com', 'itsm_manager');
    await service.advance('6m');
    await clearFaults();
  }
});

/** What DynamoDB does when it restores a table. */
async function copyTable(client: DynamoDBClient, from: string, to: string): Promise<void> {
  const names = ['pk', 'sk'] as const;
  await client.send(
    new CreateTableCommand({
      TableName: to,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: names.map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
      KeySchema: names.map((AttributeName, index) => ({ AttributeName, KeyType: index === 0 ? 'HASH' : 'RANGE' })),
    }),
  );
  for await (const { Items = [] } of paginateScan({ client }, { TableName: from })) {
    for (const item of Items) await putItem(client, to, item);
  }
}

async function putItem(client: DynamoDBClient, TableName: string, Item: StoredItem): Promise<void> {
  await client.send(new PutItemCommand({ TableName, Item }));
}

async function readItem(client: DynamoDBClient, TableName: string, id: string | undefined): Promise<StoredItem> {
  const Key = { pk: { S: id! }, sk: { S: '#' } };
  return (await client.send(new GetItemCommand({ TableName, Key }))).Item!;
}

type StoredItem = Record<string, AttributeValue>;

describe('commands for operators', () => {
  const run = (program: string, args: readonly string[]) => {
    const { NODE_OPTIONS: _, ...env } = process.env;
    return execute(process.execPath, ['--import', 'tsx', `bin/${program}.ts`, ...args], {
      cwd: root,
      timeout: 120_000,
      env: {
        ...env,
        DATA_DIR: service.dataFolder,
        AWS_ENDPOINT_URL: service.awsUrl,
        AWS_REGION: 'us-east-1',
        AWS_ACCESS_KEY_ID: service.awsCredentials.accessKeyId,
        AWS_SECRET_ACCESS_KEY: service.awsCredentials.secretAccessKey,
      },
    });
  };

  it('restores a backup of the running server and checks the copy', async () => {
    expect((await run('restore-drill', [])).stdout).toMatch(/was restored in [\d.]+ s: \d+ rows, health ok\./);
  });

  it('sets records back to a point in time, after which changes, events, lists and webhooks work', async () => {
    manager = await getApi(service, 'manager');
    const client = createTableClient(service);
    const tables = {
      records: await findRecordsTable(client),
      events: await findTable(client, /Events[0-9A-F]{8}$/),
      restored: 'restored',
    };
    const inbound = (await anInboundWebhook(manager, { dedup_key: '{{alert.name}}' })).body.id;
    await aWebhook(manager, receiver, { events: ['incident.created', 'incident.updated'] });
    const category = 'restore';
    const create = async (short_description: string) =>
      (await anIncident(manager, { short_description, category })).body.id as string;
    const names = ['changed', 'deleted', 'by hand', 'same', 'damaged'] as const;
    const ids = Object.fromEntries(await Promise.all(names.map(async (name) => [name, await create(name)])));
    const notes = `/incidents/${ids.changed}/notes`;
    await manager.post(notes, { body: 'Before' });
    await manager.patch(`/incidents/${ids.changed}`, { priority: 'P2' });

    // Schedules would change records of the tests above in the meantime.
    await service.advance('1m');
    await service.hold(true);
    await copyTable(client, tables.records, tables.restored);
    const get = async (id: string) => (await manager.get(`/incidents/${id}`)).body;
    const before = await get(ids.changed);
    const list = async () => {
      const { body } = await manager.get(`/incidents?category=${category}&sort=created_at&order=asc`);
      return body.data
        .map((incident: { id: string; priority: string }) => `${incident.id} ${incident.priority}`)
        .sort();
    };
    const listed = await list();

    const key = { 'Idempotency-Key': 'sent after the point in time' };
    const createLater = () => manager.post('/incidents', { short_description: 'later', category }, key);
    const { id: later } = (await createLater()).body;
    expect((await send(service, inbound, alert({ name: 'Later' }))).body.status).toBe('created');
    await manager.post(notes, { body: 'After' });
    for (const fields of [{ priority: 'P1' }, { state: 'in_progress' }]) {
      for (const name of ['changed', 'by hand']) await manager.patch(`/incidents/${ids[name]}`, fields);
    }
    await manager.delete(`/incidents/${ids.deleted}`);
    await service.advance('1s', []);
    // Without the tool, versions repeat, and consumers of events take them for known ones.
    await putItem(client, tables.records, await readItem(client, tables.restored, ids['by hand']));
    const damaged = await readItem(client, tables.records, ids.damaged);
    await putItem(client, tables.records, { ...damaged, document: { S: '{' } });

    const args = [tables.records, tables.restored, tables.events];
    const expected = /^4 records would be set back, 2 later ones would be deleted, \d+ other items/;
    expect((await run('restore-records', args)).stdout).toMatch(expected);
    await service.hold(false);
    const minutes = { P1: 240, P2: 480, P3: 1_440, P4: 4_320 };
    const nowMs = Date.parse((await manager.get('/health')).body.time);
    const rewind = () => rewindRecords({ client, tables, minutes, now: () => nowMs, apply: true });
    expect(await rewind()).toMatchObject({ rewound: 4, removed: 2, conflicts: 0 });
    expect(await rewind()).toEqual({ rewound: 0, removed: 0, parts: 0, conflicts: 0 });

    expect(await get(ids.changed)).toEqual({ ...before, updated_at: expect.any(String) });
    expect((await manager.get(notes)).body.data).toMatchObject([{ body: 'Before' }]);
    expect((await manager.get(`/incidents/${later}`)).status).toBe(404);
    expect(await list()).toEqual(listed);
    const { data } = (await manager.get(`/incidents/${ids.changed}/history?limit=200`)).body;
    expect(data.at(-1)).toMatchObject({
      origin: { kind: 'restore' },
      changes: { priority: { from: 'P1', to: 'P2' }, state: { from: 'in_progress', to: 'new' } },
    });
    // Senders may repeat what was removed.
    expect((await createLater()).body.id).not.toBe(later);
    expect((await send(service, inbound, alert({ name: 'Later' }))).body.status).toBe('created');

    const { latest } = (await manager.get('/events?after=0&limit=1')).body;
    const seen = receiver.received.length;
    const changedIds = names.map((name) => ids[name]!);
    for (const id of changedIds) {
      expect((await manager.patch(`/incidents/${id}`, { description: 'After the restore' })).status).toBe(200);
    }
    await service.advance('1s', []);
    const emitted = (await manager.get(`/events?after=${latest}&limit=200`)).body.data.filter(
      (event: { data: { changes?: object } }) => 'description' in (event.data.changes ?? {}),
    );
    expect(emitted.map((event: { data: { id: string } }) => event.data.id)).toEqual(changedIds);
    const isDelivered = ({ body }: Receiver['received'][number]) => 'description' in (body.data.changes ?? {});
    await becomes(async () => receiver.received.slice(seen).filter(isDelivered).length, changedIds.length);
    await client.send(new DeleteTableCommand({ TableName: tables.restored }));
    client.destroy();
  });

  it('backs up people with their groups, and creates them again', async () => {
    await createPerson(service, 'grace@example.com', 'itsm_agent');
    const file = join(service.dataFolder, 'users.json');
    const pool = await findUserPoolId(service);
    expect((await run('users', ['backup', pool, file])).stdout).toMatch(/has \d+ users and \d+ groups of us-east-1_/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await administer(service, async (client, UserPoolId) => {
      await client.send(new AdminDeleteUserCommand({ UserPoolId, Username: 'grace@example.com' }));
    });
    expect((await run('users', ['restore', pool, file])).stdout).toMatch(/^Created 1 of \d+ users/);
    await administer(service, async (client, UserPoolId) => {
      const target = { UserPoolId, Username: 'grace@example.com' };
      const { Groups } = await client.send(new AdminListGroupsForUserCommand(target));
      expect(Groups?.map(({ GroupName }) => GroupName)).toEqual(['itsm_agent']);
    });
  });

  it('lists dead-letter queues, and moves messages back to their queue', async () => {
    const client = new SQSClient({
      endpoint: service.awsUrl,
      region: 'us-east-1',
      credentials: service.awsCredentials,
    });
    const { QueueUrls = [] } = await client.send(new ListQueuesCommand({}));
    const QueueUrl = QueueUrls.find((url) => url.includes('BulkJobsDeadLetters'));
    // The test above left a message there.
    expect((await run('redrive', ['incidents-local'])).stdout).toMatch(/1 {2}incidents-local-BulkJobsDeadLetters/);
    expect((await run('redrive', ['incidents-local', 'BulkJobs'])).stdout).toMatch(/^SQS moves about 1 messages/);
    await until(
      () => client.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['ApproximateNumberOfMessages'] })),
      ({ Attributes }) => Attributes?.ApproximateNumberOfMessages === '0',
    );
    client.destroy();
  });
});
