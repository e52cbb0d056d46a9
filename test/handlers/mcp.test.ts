import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { rateLimits } from '../../contract/rate-limits.ts';
import { type ClientName, call, expectProblem, getToken } from '../support/http.ts';
import { anIncident, startTestService } from '../support/incidents.ts';

const { service, agent, manager } = await startTestService('agent', 'manager');

const clients: Client[] = [];
afterEach(() => Promise.all(clients.splice(0).map((client) => client.close())));

const address = (mode = '') => new URL(`${service.baseUrl}/prod/api/v1/mcp${mode && `?mode=${mode}`}`);

/** Connects the client of the protocol's own SDK. */
async function connect(token: string, mode?: string) {
  const headers = { authorization: `Bearer ${token}` };
  const client = new Client({ name: 'test', version: '1.0.0' });
  const transport = new StreamableHTTPClientTransport(address(mode), { requestInit: { headers } });
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  clients.push(client);
  const use = async (name: string, input: Record<string, unknown>) => {
    const { content, isError, structuredContent } = await client.callTool({ name, arguments: input });
    const [{ text = '' } = {}] = content as { text?: string }[];
    return { text, isError: isError === true, structured: structuredContent as Record<string, unknown> };
  };
  const listWriting = async () =>
    (await client.listTools()).tools.filter(({ annotations }) => !annotations?.readOnlyHint).map(({ name }) => name);
  return { client, use, listWriting };
}

const connectAs = async (name: ClientName, mode?: string) => connect(await getToken(service, name), mode);

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };

/** One message without the SDK. */
async function send(message: unknown, headers: Record<string, string> = {}, as: ClientName = 'viewer') {
  const body = typeof message === 'string' ? message : JSON.stringify(message);
  const init = { method: 'POST', token: await getToken(service, as), body };
  return call(service, '/v1/mcp', { ...init, headers: { 'content-type': 'application/json', ...headers } });
}

describe('callMcp', () => {
  it('serves tools, resources and prompts, which read as the caller', async () => {
    const { body: incident } = await anIncident(agent, { category: 'remote agents' });
    const { client, use, listWriting } = await connectAs('viewer');
    expect(client.getServerVersion()?.name).toBe('itsm');
    expect(client.getInstructions()).toContain('only read');
    expect(await listWriting()).toEqual([]);
    expect((await use('list_incidents', { category: 'remote agents' })).structured).toEqual({
      incidents: [expect.objectContaining({ id: incident.id })],
      total: 1,
    });
    const { contents } = await client.readResource({ uri: `itsm://incidents/${incident.id}` });
    expect(JSON.parse((contents[0] as { text: string }).text)).toMatchObject({ id: incident.id });
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(['triage_incident', 'triage_queue']);
    expect(await use('get_incident', { id: 'INC0000000' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('404 not_found'),
    });
    expect(await use('list_incidents', { status: 'new' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('status'),
    });
  });

  it('accepts an API key, and acts with its role', async () => {
    const { body } = await manager.post('/api-keys', { name: 'Agent', role: 'itsm_agent' });
    const { use } = await connect(body.key, 'write');
    const created = JSON.parse((await use('create_incident', { short_description: 'By a remote agent' })).text);
    expect(created.opened_by).toBe('manager@clients.incidents.localhost');
  });

  it('writes only in the mode write, and only with the role', async () => {
    const input = { short_description: 'Not written' };
    const reader = await connectAs('agent');
    expect(await reader.use('create_incident', input)).toMatchObject({
      isError: true,
      text: expect.stringContaining('not found'),
    });
    const writer = await connectAs('agent', 'write');
    expect(await writer.listWriting()).toEqual(['create_incident', 'update_incident', 'add_work_note']);
    const created = JSON.parse((await writer.use('create_incident', { short_description: 'Written' })).text);
    const { data } = (await agent.get(`/incidents/${created.id}/history`)).body;
    expect(data[0].actor).toBe('agent@clients.incidents.localhost');
    const viewer = await connectAs('viewer', 'write');
    expect(await viewer.use('create_incident', input)).toMatchObject({
      isError: true,
      text: expect.stringContaining('403 forbidden'),
    });
    expect((await agent.get('/incidents?q=Not%20written')).body.total).toBe(0);
  });

  it('stores proposals in the mode propose', async () => {
    const { body: incident } = await anIncident(agent);
    const { use, listWriting } = await connectAs('viewer', 'propose');
    expect(await listWriting()).toEqual(['propose_incident', 'propose_incident_update']);
    const evidence = 'Three sites report it.';
    const { structured } = await use('propose_incident_update', { id: incident.id, priority: 'P1', evidence });
    expect((await agent.get(`/proposals/${structured.id}`)).body).toMatchObject({
      state: 'pending',
      evidence,
      requested_by: 'viewer@clients.incidents.localhost',
    });
    expect((await agent.get(`/incidents/${incident.id}`)).body.priority).toBe('P3');
  });

  it('requires a token', async () => {
    const answer = await call(service, '/v1/mcp', { method: 'POST', body: JSON.stringify(ping) });
    expectProblem(answer, 401, 'unauthorized');
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    await expect(connect('invalid')).rejects.toThrow('401');
  });

  it('answers notifications with 202, and other methods than POST with 405', async () => {
    expect(await send({ jsonrpc: '2.0', method: 'notifications/initialized' })).toMatchObject({
      status: 202,
      body: undefined,
    });
    const token = await getToken(service, 'viewer');
    for (const method of ['GET', 'DELETE']) {
      const answer = await call(service, '/v1/mcp', { method, token });
      expectProblem(answer, 405, 'method_not_allowed');
      expect(answer.headers.get('allow')).toBe('POST, OPTIONS');
    }
  });

  it('rejects messages that are not of the protocol', async () => {
    expectProblem(await send('{"jsonrpc": "2.0"'), 400, 'malformed_json');
    expectProblem(await send([ping]), 400, 'invalid_input', ['body']);
    expectProblem(await send({ ...ping, jsonrpc: '1.0' }), 400, 'invalid_input', ['jsonrpc']);
    expectProblem(await send({ jsonrpc: '2.0', id: 1 }), 400, 'invalid_input');
    expectProblem(await send(ping, { 'MCP-Protocol-Version': '1999-01-01' }), 400, 'invalid_input');
    expectProblem(await send(ping, { origin: 'https://elsewhere.example' }), 403, 'forbidden');
    expectProblem(await send({ ...ping, params: { text: 'x'.repeat(1024 * 1024) } }), 413, 'payload_too_large');
    expectProblem(await send(ping, { 'content-type': 'text/plain' }), 415, 'unsupported_media_type');
    expect(await send({ ...ping, method: 'tools/unknown' })).toMatchObject({
      status: 200,
      body: { id: 1, error: { code: -32601 } },
    });
    expect(await send(ping)).toMatchObject({ status: 200, body: { jsonrpc: '2.0', id: 1, result: {} } });
  });

  it('has the rate limit of the caller, with Retry-After', async () => {
    const token = await getToken(service, 'admin');
    const init = { method: 'POST', token, headers: { 'content-type': 'application/json' }, body: JSON.stringify(ping) };
    await service.hold(true);
    const count = rateLimits.general.limit + 1;
    const answers = await Promise.all(Array.from({ length: count }, () => call(service, '/v1/mcp', init)));
    await service.hold(false);
    const [limited] = answers.filter(({ status }) => status === 429);
    expectProblem(limited!, 429, 'rate_limited');
    expect(Number(limited?.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});
