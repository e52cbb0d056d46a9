// End-to-end checks from the view of people and programs. Every check creates its own records.
import assert from 'node:assert/strict';
import { createClient, ServiceProblem } from '../../client/index.ts';
import { assertProblem, assertRateHeaders, send, waitUntil } from './requests.ts';
import type { Check } from './run-checks.ts';
import type { Stage } from './stage-under-test.ts';

export const journeys: readonly Check[] = [
  { name: 'accepts the token, reports its health and has a client with enough permissions', run: checkHealth },
  { name: 'serves the console', run: checkConsole },
  { name: 'creates, reads, updates and resolves an incident', run: checkIncident },
  { name: 'lists what was written', run: checkListLag },
  { name: 'adds work notes', run: checkWorkNotes },
  { name: 'runs a bulk job, and pages through its records', run: checkBulkAndPages },
  { name: 'creates once per idempotency key', run: checkIdempotency },
  { name: 'creates an incident through an inbound webhook', run: checkInboundWebhook },
  { name: 'creates, reads, updates and deletes an outbound webhook', run: checkOutboundWebhook },
  { name: 'computes embeddings (ONNX) for similar incidents', run: checkEmbeddings },
  { name: 'answers a question with the language model', run: checkLanguageModel, needsModel: true },
  { name: 'rejects missing and wrong tokens with 401', run: checkUnauthorized },
  { name: 'rejects a role that is too low with 403, through an API key', run: checkForbidden },
  { name: 'rejects unknown ids and paths with 404', run: checkNotFound },
  { name: 'lists all problems of invalid input', run: checkValidation },
  { name: 'reports rate limits on every response', run: checkRateHeaders },
];

async function checkHealth({ client, serviceInstance }: Stage): Promise<string> {
  const { status, version, service_instance } = await client.getHealth();
  assert.equal(status, 'ok');
  assert.equal(service_instance, serviceInstance);
  const { email, roles } = await client.getMe();
  const isManager = roles.includes('itsm_manager') || roles.includes('super_admin');
  assert.ok(
    isManager,
    `${email} has ${roles.join(', ') || 'no role'}; use a client that may delete, such as AdminClientId`,
  );
  return `${service_instance} ${version} as ${email}`;
}

async function checkConsole({ url }: Stage): Promise<undefined> {
  for (const path of ['/', '/console/incidents']) {
    const response = await fetch(`${url}${path}`, { signal: AbortSignal.timeout(30_000) });
    assert.equal(response.status, 200, `${path} answered ${response.status}`);
    assert.match(response.headers.get('content-type') ?? '', /^text\/html/);
    assert.ok(response.headers.get('content-security-policy'), `${path} has no Content-Security-Policy`);
    await response.body?.cancel();
  }
}

async function checkIncident(stage: Stage): Promise<undefined> {
  const { client } = stage;
  const { data, etag, location } = await client.createIncident.withResponse({
    short_description: `Stage test ${stage.runName}`,
    priority: 'P2',
  });
  deleteLater(stage, data.id);
  const { id } = data;
  assert.ok(location?.endsWith(`/incidents/${id}`), `Location is ${location}`);
  assert.equal((await client.getIncident({ id })).priority, 'P2');
  await client.updateIncident({ id }, { state: 'in_progress' }, { ifMatch: etag });
  await assertRejects(client.updateIncident({ id }, { category: 'stale' }, { ifMatch: etag }), 412);
  await assertRejects(client.updateIncident({ id }, { state: 'closed' }), 409);
  const resolved = await client.updateIncident({ id }, { state: 'resolved', resolution: 'Only a test.' });
  assert.equal(resolved.state, 'resolved');
  assert.deepEqual(await client.getIncident({ id }), resolved);
  assert.equal((await client.listIncidentHistory({ id })).total, 3);
}

/** Lists come from an eventually consistent index; this measures by how much they are behind. */
async function checkListLag(stage: Stage): Promise<string> {
  const category = `${stage.runName} lag`;
  // The first list may be a cold start, which is not the lag.
  await stage.client.listIncidents({ category });
  const { id } = await createIncident(stage, { category });
  const { value, elapsedMs, reads } = await waitUntil(
    'the list with the new incident',
    () => stage.client.listIncidents({ category }),
    ({ total }) => total === 1,
  );
  assert.equal(value.data[0]?.id, id);
  return `visible after ${elapsedMs} ms, in read ${reads}`;
}

async function checkWorkNotes(stage: Stage): Promise<undefined> {
  const { id } = await createIncident(stage);
  for (const body of ['First.', 'Second.']) await stage.client.createWorkNote({ id }, { body });
  const { data, total } = await stage.client.listWorkNotes({ id });
  assert.deepEqual([total, ...data.map(({ body }) => body)], [2, 'First.', 'Second.']);
}

async function checkBulkAndPages(stage: Stage): Promise<string> {
  const { client, runName } = stage;
  const category = `${runName} bulk`;
  const records = ['One', 'Two', 'Three'].map((short_description) => ({ short_description, category }));
  const { job_id } = await client.bulkIncidents({ operation: 'create', records: [...records, { priority: 'P9' }] });
  const job = await client.jobs.wait(job_id, { timeoutMs: 60_000 });
  const created = job.results.flatMap(({ id, status }) => (status === 'succeeded' && id ? [id] : []));
  for (const id of created) deleteLater(stage, id);
  assert.deepEqual([job.status, created.length, job.failed], ['completed_with_errors', 3, 1]);
  await waitUntil(
    'the list with the records of the job',
    () => client.listIncidents({ category }),
    ({ total }) => total === 3,
  );
  const first = await client.listIncidents({ category, limit: 2 });
  assert.equal(first.total, 3);
  assert.ok(first.next_cursor, 'the first page has no cursor');
  const second = await client.listIncidents({ category, limit: 2, cursor: first.next_cursor });
  assert.equal(second.next_cursor, undefined);
  const ids = [...first.data, ...second.data].map(({ id }) => id);
  assert.deepEqual(ids.toSorted(), created.toSorted());
  return `the job ${job_id} stays for 30 days`;
}

async function checkIdempotency(stage: Stage): Promise<undefined> {
  const { client, runName: idempotencyKey } = stage;
  const body = { short_description: 'Created once' };
  const first = await client.createIncident.withResponse(body, { idempotencyKey });
  deleteLater(stage, first.data.id);
  const second = await client.createIncident.withResponse(body, { idempotencyKey });
  assert.equal(second.data.id, first.data.id);
  assert.equal(second.headers.get('idempotent-replayed'), 'true');
  await assertRejects(client.createIncident({ short_description: 'Another body' }, { idempotencyKey }), 422);
}

async function checkInboundWebhook(stage: Stage): Promise<undefined> {
  const { client, runName } = stage;
  const { id, url } = await client.createInboundWebhook({
    name: runName,
    action: 'create_incident',
    field_mapping: { short_description: '{{summary}}' },
    secret_enabled: false,
  });
  stage.cleanUp(() => client.deleteInboundWebhook({ id }));
  assert.ok(url.startsWith(`${stage.url}/`), `the webhook's URL ${url} is not under ${stage.url}`);
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ summary: `From a webhook of ${runName}` }),
    signal: AbortSignal.timeout(30_000),
  });
  const event = (await response.json()) as { status?: string; incident_id?: string };
  assert.deepEqual([response.status, event.status], [202, 'created']);
  deleteLater(stage, String(event.incident_id));
  assert.equal((await client.listInboundEvents({ id })).data.length, 1);
}

/** Inactive, so that nothing is ever sent to its receiver. */
async function checkOutboundWebhook(stage: Stage): Promise<undefined> {
  const { client, runName: name } = stage;
  const url = 'https://receiver.invalid/hook';
  const created = await client.createOutboundWebhook({
    name,
    url,
    events: ['incident.created'],
    sign_payloads: true,
    active: false,
  });
  const { id } = created;
  assert.ok(created.secret, 'the response to the creation has no secret');
  assert.equal((await client.getOutboundWebhook({ id })).secret, undefined);
  assert.equal((await client.updateOutboundWebhook({ id }, { timeout_seconds: 7 })).timeout_seconds, 7);
  await client.deleteOutboundWebhook({ id });
  await assertRejects(client.getOutboundWebhook({ id }), 404);
}

async function checkEmbeddings({ client, runName }: Stage): Promise<string> {
  const { latency_ms, count } = await client.findExemplars({ description: `The VPN is down ${runName}` });
  return `${count} similar incidents, ${latency_ms} ms in the function`;
}

/** A question about a record always reaches the model, whatever the knowledge base contains. */
async function checkLanguageModel(stage: Stage): Promise<string> {
  const { id } = await createIncident(stage, { description: 'The mail relay rejects messages since 09:00.' });
  const question = `What is this incident about? ${stage.runName}`;
  const answer = await stage.client.askQuestion({ question, context_record: { type: 'incident', id } });
  assert.ok(answer.answer.length > 0, 'the answer is empty');
  assert.ok(answer.tokens_used > 0, 'the model was not called');
  return `${answer.model_used}, ${answer.tokens_used} tokens, ${answer.latency_ms} ms`;
}

async function checkUnauthorized(stage: Stage): Promise<undefined> {
  for (const token of [undefined, 'not-a-token', `${stage.token.slice(0, -3)}abc`]) {
    const response = await send(stage, 'GET', '/me', token === undefined ? {} : { token });
    assertProblem(response, 401, 'unauthorized');
    assert.match(response.headers.get('www-authenticate') ?? '', /^Bearer/);
  }
}

async function checkForbidden(stage: Stage): Promise<string> {
  const viewer = await createViewer(stage);
  const { elapsedMs } = await waitUntil(
    'the first request with a new API key',
    () => viewer.getHealth({}).then(() => true, rethrowUnless('unauthorized')),
    (isAccepted) => isAccepted,
  );
  await assertRejects(viewer.createIncident({ short_description: 'Not allowed' }), 403);
  return `a new API key works after ${elapsedMs} ms`;
}

async function checkNotFound(stage: Stage): Promise<undefined> {
  const { token } = stage;
  assertProblem(await send(stage, 'GET', '/incidents/INC0000000', { token }), 404, 'not_found');
  assertProblem(await send(stage, 'GET', '/no-such-path', { token }), 404, 'not_found');
  assertProblem(await send(stage, 'PUT', '/incidents', { token }), 405, 'method_not_allowed');
}

async function checkValidation(stage: Stage): Promise<undefined> {
  const { token } = stage;
  const body = { priority: 'P9', no_such_field: 1 };
  const response = await send(stage, 'POST', '/incidents', { token, body });
  assertProblem(response, 400, 'invalid_input');
  const fields = (response.body.errors as { field: string }[]).map(({ field }) => field);
  assert.deepEqual(fields.toSorted(), ['no_such_field', 'priority', 'short_description']);
  assertProblem(await send(stage, 'POST', '/incidents', { token, body: '{"short_' }), 400, 'malformed_json');
}

async function checkRateHeaders(stage: Stage): Promise<string> {
  const { token } = stage;
  const responses = [
    await send(stage, 'GET', '/health', { token }),
    await send(stage, 'GET', '/health'),
    await send(stage, 'GET', '/no-such-path', { token }),
  ];
  for (const response of responses) assertRateHeaders(response);
  return `${responses[0]?.headers.get('x-ratelimit-limit')} requests per window`;
}

async function createIncident(stage: Stage, fields: { category?: string; description?: string } = {}) {
  const incident = await stage.client.createIncident({ short_description: `Stage test ${stage.runName}`, ...fields });
  deleteLater(stage, incident.id);
  return incident;
}

function deleteLater({ client, cleanUp }: Stage, id: string): void {
  cleanUp(() => client.deleteIncident({ id }));
}

export async function createViewer({ client, url, authUrl, runName, cleanUp }: Stage) {
  const { id, key } = await client.createApiKey({ name: runName, role: 'viewer' });
  cleanUp(() => client.deleteApiKey({ id }));
  assert.ok(key, 'the response to the creation has no key');
  return createClient({ baseUrl: url, authUrl, credentials: { apiKey: key } });
}

async function assertRejects(call: Promise<unknown>, status: number): Promise<void> {
  const outcome = await call.then(
    () => 'success',
    (error: unknown) => (error instanceof ServiceProblem ? error.status : error),
  );
  assert.equal(outcome, status);
}

function rethrowUnless(code: string): (error: unknown) => false {
  return (error) => {
    if (error instanceof ServiceProblem && error.code === code) return false;
    throw error;
  };
}
