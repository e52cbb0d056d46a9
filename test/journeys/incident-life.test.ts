import { createClient, type ServiceClient } from '../../client/index.ts';
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

describe('the life of an incident', () => {
  it('goes from its creation to its deletion through the client', async () => {
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

  it('survives the end of the service, whatever kind of end it is', async () => {
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
