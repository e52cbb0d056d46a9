import { createClient, type ServiceClient } from '../../client/index.ts';
import { incidentPatch } from '../../contract/incidents.ts';
import { type Api, anIncident, getApi } from '../support/incidents.ts';
import { type Service, startService } from '../support/service.ts';

let service: Service;
let agent: ServiceClient;
let manager: ServiceClient;
beforeAll(async () => {
  service = await startService();
  [agent, manager] = (['agent', 'manager'] as const).map((name) => {
    const { client_id, client_secret } = service.credentials.clients[name];
    const credentials = { clientId: client_id, clientSecret: client_secret };
    return createClient({ baseUrl: service.baseUrl, authUrl: service.authUrl, credentials });
  }) as [ServiceClient, ServiceClient];
});
afterAll(() => service.stop());

/** Fifty updates that each change one field: each field in turn, with a value of its own. */
function fiftyUpdates(): Record<string, string>[] {
  const names = Object.keys(incidentPatch.shape).filter((name) => texts.has(name));
  return Array.from({ length: 50 }, (_, index) => ({ [names[index % names.length]!]: `value ${index}` }));
}

const texts = new Set([
  'short_description',
  'description',
  'category',
  'subcategory',
  'assignment_group',
  'resolution',
]);

describe('fifty concurrent updates of one incident', () => {
  let api: Api;
  beforeAll(async () => {
    api = await getApi(service, 'agent');
  });
  beforeEach(() => service.advance('2s'));

  it('are all applied without If-Match', async () => {
    const { body } = await anIncident(api);
    const updates = fiftyUpdates();
    const responses = await Promise.all(updates.map((patch) => api.patch(`/incidents/${body.id}`, patch)));
    expect(responses.map(({ status }) => status)).toEqual(updates.map(() => 200));
    const { body: history } = await api.get(`/incidents/${body.id}/history?limit=200`);
    expect(history.total).toBe(51);
    expect(history.data.map(({ version }: { version: number }) => version)).toEqual(
      Array.from({ length: 51 }, (_, index) => index + 1),
    );
    const changes = history.data
      .slice(1)
      .flatMap((entry: { changes: Record<string, { to: string }> }) =>
        Object.entries(entry.changes).map(([field, { to }]) => JSON.stringify({ [field]: to })),
      );
    expect(changes.sort()).toEqual(updates.map((patch) => JSON.stringify(patch)).sort());
    expect((await api.get(`/incidents/${body.id}`)).body).toMatchObject(replayHistory(history.data));
  });

  it('have one success and forty-nine conflicts with the same If-Match', async () => {
    const { body, headers } = await anIncident(api);
    const tag = { 'if-match': headers.get('etag')! };
    const responses = await Promise.all(fiftyUpdates().map((patch) => api.patch(`/incidents/${body.id}`, patch, tag)));
    const statuses = responses.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array.from({ length: 49 }, () => 412)]);
    expect((await api.get(`/incidents/${body.id}/history`)).body.total).toBe(2);
  });

  it('keep the times of the versions in order', async () => {
    const { body } = await anIncident(api);
    await Promise.all(fiftyUpdates().map((patch) => api.patch(`/incidents/${body.id}`, patch)));
    const { body: history } = await api.get(`/incidents/${body.id}/history?limit=200`);
    const times = history.data.map(({ at }: { at: string }) => at);
    expect(times).toEqual([...new Set(times)].sort());
  });
});

function replayHistory(entries: { changes: Record<string, { to: unknown }> }[]): Record<string, unknown> {
  const changes = entries.flatMap(({ changes }) => Object.entries(changes).map(([field, { to }]) => [field, to]));
  return Object.fromEntries(changes);
}

describe('the life of an incident', () => {
  it('goes from creation to deletion with the SDK', async () => {
    const created = await agent.createIncident.withResponse({ short_description: 'Mail is down', priority: 'P1' });
    const { id } = created.data!;
    expect(created.location).toBe(`/prod/api/v1/incidents/${id}`);
    await agent.updateIncident({ id }, { state: 'in_progress', work_note: 'On it.' }, { ifMatch: created.etag! });
    await expect(agent.updateIncident({ id }, { category: 'x' }, { ifMatch: created.etag! })).rejects.toMatchObject({
      code: 'precondition_failed',
    });
    for (const body of ['Restarting.', 'Restarted.']) await agent.createWorkNote({ id }, { body });
    await agent.updateIncident({ id }, { state: 'resolved', resolution: 'Restarted the relay.' });
    await agent.updateIncident({ id }, { state: 'closed' });

    const read = await agent.getIncident.withResponse({ id });
    expect(read.data).toMatchObject({ state: 'closed', work_notes_count: 3, resolution: 'Restarted the relay.' });
    expect((await agent.getIncident.withResponse({ id }, { ifNoneMatch: read.etag! })).notModified).toBe(true);
    const notes = await collect(agent.listWorkNotes.all({ id, limit: 2 }));
    expect(notes.map(({ body }) => body)).toEqual(['On it.', 'Restarting.', 'Restarted.']);
    const versions = await collect(agent.listIncidentHistory.all({ id, limit: 1 }));
    expect(versions.map(({ changes }) => changes.state?.to)).toEqual(['new', 'in_progress', 'resolved', 'closed']);
    expect((await agent.getIncidentSla({ id, simulate: 'priority:P4' })).clock).toBe('ended');

    await expect(agent.deleteIncident({ id })).rejects.toMatchObject({ code: 'forbidden' });
    await manager.deleteIncident({ id });
    await expect(agent.getIncident({ id })).rejects.toMatchObject({ code: 'not_found' });
    expect(await manager.getIncident({ id, include_deleted: true })).toMatchObject({ deleted: true, state: 'closed' });
  });

  it('survives kill -9', async () => {
    const { id } = await agent.createIncident({ short_description: 'Keep me' });
    await agent.updateIncident({ id }, { category: 'kept', work_note: 'kept, too' });
    const before = await agent.getIncident({ id });
    await service.kill();
    service = await startService({ dataFolder: service.dataFolder });
    const { client_id, client_secret } = service.credentials.clients.agent;
    const again = createClient({
      baseUrl: service.baseUrl,
      authUrl: service.authUrl,
      credentials: { clientId: client_id, clientSecret: client_secret },
    });
    expect(await again.getIncident({ id })).toEqual(before);
    expect((await again.listWorkNotes({ id })).total).toBe(1);
    expect((await again.listIncidentHistory({ id })).total).toBe(2);
  });
});

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}
