import { incidentPatch } from '../../contract/incidents.ts';
import { anIncident, startTestService } from '../support/incidents.ts';

const { service, agent } = await startTestService('agent');
beforeEach(() => service.advance('2s'));

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
  'parent_problem_id',
  'change_id',
  'resolution',
]);

describe('fifty updates of one incident at once', () => {
  it('all survive when they come without If-Match', async () => {
    const { body } = await anIncident(agent);
    const updates = fiftyUpdates();
    const answers = await Promise.all(updates.map((patch) => agent.patch(`/incidents/${body.id}`, patch)));
    expect(answers.map(({ status }) => status)).toEqual(updates.map(() => 200));
    const { body: history } = await agent.get(`/incidents/${body.id}/history?limit=200`);
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
    expect((await agent.get(`/incidents/${body.id}`)).body).toMatchObject(replayHistory(history.data));
  });

  it('are one success and forty-nine refusals when they come with the same If-Match', async () => {
    const { body, headers } = await anIncident(agent);
    const tag = { 'if-match': headers.get('etag')! };
    const answers = await Promise.all(fiftyUpdates().map((patch) => agent.patch(`/incidents/${body.id}`, patch, tag)));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array.from({ length: 49 }, () => 412)]);
    expect((await agent.get(`/incidents/${body.id}/history`)).body.total).toBe(2);
  });

  it('keep the times of the versions in order', async () => {
    const { body } = await anIncident(agent);
    await Promise.all(fiftyUpdates().map((patch) => agent.patch(`/incidents/${body.id}`, patch)));
    const { body: history } = await agent.get(`/incidents/${body.id}/history?limit=200`);
    const times = history.data.map(({ at }: { at: string }) => at);
    expect(times).toEqual([...new Set(times)].sort());
  });
});

function replayHistory(entries: { changes: Record<string, { to: unknown }> }[]): Record<string, unknown> {
  const changes = entries.flatMap(({ changes }) => Object.entries(changes).map(([field, { to }]) => [field, to]));
  return Object.fromEntries(changes);
}
