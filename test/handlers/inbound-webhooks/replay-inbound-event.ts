import { expectProblem } from '../../support/http.ts';
import { alert, aWebhook, send } from '../../support/inbound-webhooks.ts';
import { startTestService } from '../../support/incidents.ts';

const { service, manager } = await startTestService('manager');
beforeEach(() => service.advance('2s'));

const broken = { field_mapping: { short_description: '{{alert.title}}' } };

describe('replayInboundEvent', () => {
  it('runs a failed event again after the mapping was fixed', async () => {
    const { body: webhook } = await aWebhook(manager, broken);
    const path = `/webhooks/inbound/${webhook.id}`;
    const failed = await send(service, webhook.id, alert());
    expectProblem(failed, 422, 'mapping_failed');
    const replay = `${path}/events/${failed.body.event_id}/replay`;
    expectProblem(await manager.post(replay, undefined), 422, 'mapping_failed');
    await manager.patch(path, { field_mapping: { short_description: '{{alert.name}}' } });
    const response = await manager.post(replay, undefined);
    expect(response).toMatchObject({ status: 202, body: { status: 'created' } });
    const { body: event } = await manager.get(`${path}/events/${response.body.event_id}`);
    expect(event).toMatchObject({ replay_of: failed.body.event_id, proof: 'replay', payload: alert() });
    const { body: incident } = await manager.get(`/incidents/${response.body.incident_id}`);
    expect(incident).toMatchObject({
      short_description: 'DiskFull',
      opened_by: 'prometheus@webhooks.incidents.localhost',
    });
  });

  it('returns the first response for the same idempotency key', async () => {
    const { body: webhook } = await aWebhook(manager);
    const { body } = await send(service, webhook.id, alert());
    const replay = () =>
      manager.post(`/webhooks/inbound/${webhook.id}/events/${body.event_id}/replay`, undefined, {
        'idempotency-key': 'r',
      });
    const [first, again] = [await replay(), await replay()];
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(first.body.incident_id).not.toBe(body.incident_id);
  });

  it('finds events only below their own webhook', async () => {
    const [{ body: one }, { body: other }] = [await aWebhook(manager), await aWebhook(manager)];
    const { body } = await send(service, one.id, alert());
    expectProblem(await manager.get(`/webhooks/inbound/${other.id}/events/${body.event_id}`), 404, 'not_found');
    expectProblem(
      await manager.post(`/webhooks/inbound/${other.id}/events/${body.event_id}/replay`, undefined),
      404,
      'not_found',
    );
    expectProblem(await manager.get(`/webhooks/inbound/${one.id}/events/x`), 404, 'not_found');
  });
});

describe('listInboundEvents', () => {
  it('lists received events, newest first', async () => {
    const { body: webhook } = await aWebhook(manager, { dedup_key: '{{alert.name}}' });
    const ids: string[] = [];
    for (const host of ['a', 'b', 'b']) {
      ids.unshift((await send(service, webhook.id, alert({ host }))).body.event_id);
      await service.advance('1s');
    }
    const path = `/webhooks/inbound/${webhook.id}/events`;
    const first = await manager.get(`${path}?limit=2`);
    expect(first.body.total).toBe(3);
    expect(first.body.data[0]).toEqual({
      id: ids[0],
      webhook_id: webhook.id,
      received_at: expect.stringMatching(/Z$/),
      status: 'deduplicated',
      incident_id: expect.stringMatching(/^INC/),
      dedup_key: 'DiskFull',
      proof: 'none',
      size_bytes: JSON.stringify(alert({ host: 'b' })).length,
      replay_of: null,
      error: null,
    });
    const second = await manager.get(`${path}?limit=2&cursor=${first.body.next_cursor}`);
    const listed = [...first.body.data, ...second.body.data];
    expect(listed.map(({ id }) => id)).toEqual(ids);
    expect(listed.map(({ status }) => status)).toEqual(['deduplicated', 'updated', 'created']);
    expect(second.body).not.toHaveProperty('next_cursor');
  });
});

describe('testInboundWebhook', () => {
  it('returns filters, rendered texts, key and result without writing', async () => {
    const filters = [{ field: 'alert.severity', operator: 'neq', value: 'info' }];
    const { body: webhook } = await aWebhook(manager, { filters, dedup_key: '{{alert.name}}-{{alert.host}}' });
    const path = `/webhooks/inbound/${webhook.id}`;
    const test = (payload: unknown, settings?: object) => manager.post(`${path}/test`, { payload, settings });
    const response = await test(alert());
    expect(response.status).toBe(200);
    expect(response.body).toEqual({
      status: 'created',
      rule: null,
      passed: true,
      filters: [{ ...filters[0], actual: 'critical', passed: true }],
      dedup_key: 'DiskFull-db-1',
      incident_id: null,
      rendered: { short_description: 'DiskFull on db-1', priority: 'P1' },
      incident: { short_description: 'DiskFull on db-1', priority: 'P1', state: 'new', notify_stakeholders: false },
      errors: [],
    });
    expect((await test(alert({ severity: 'info' }))).body).toMatchObject({ status: 'filtered', passed: false });
    const warning = alert({ severity: 'warning' });
    const { body: created } = await send(service, webhook.id, warning);
    expect((await test(warning)).body).toMatchObject({ status: 'deduplicated', incident_id: created.incident_id });
    expect((await test(alert())).body).toMatchObject({ status: 'updated' });
    expect((await manager.get(`${path}/events`)).body.total).toBe(1);
  });

  it('tests settings that are not stored', async () => {
    const { body: webhook } = await aWebhook(manager);
    const path = `/webhooks/inbound/${webhook.id}`;
    const settings = { field_mapping: { priority: '{{p}}', category: 'disk' } };
    const { body } = await manager.post(`${path}/test`, { payload: { p: 'P9', ...alert() }, settings });
    expect(body).toMatchObject({ status: 'failed', incident: null, rendered: { priority: 'P9', category: 'disk' } });
    expect(body.errors.map(({ field }: { field: string }) => field)).toEqual(['priority']);
    const bad = await manager.post(`${path}/test`, { payload: {}, settings: { field_mapping: { priority: '{{' } } });
    expectProblem(bad, 400, 'invalid_input');
    expect(bad.body.errors[0].field).toBe('settings.field_mapping.priority');
    expect((await manager.get(path)).body).toEqual(webhook);
  });

  it('reports that the incident to change does not exist', async () => {
    const { body: webhook } = await aWebhook(manager, {
      action: 'resolve_incident',
      field_mapping: {},
      incident_id: '{{ticket}}',
    });
    const test = (ticket: string) => manager.post(`/webhooks/inbound/${webhook.id}/test`, { payload: { ticket } });
    expect((await test('INC0000000')).body).toMatchObject({ status: 'failed', errors: [{ field: 'incident_id' }] });
    expect((await test('x')).body).toMatchObject({ status: 'failed', errors: [{ field: 'incident_id' }] });
  });
});
