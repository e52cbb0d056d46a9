import { setFault } from '../faults/fault.ts';
import { expectProblem } from '../support/http.ts';
import { type Api, anIncident, type Fields, startTestService } from '../support/incidents.ts';

const { service, agent, manager, viewer, admin } = await startTestService('agent', 'manager', 'viewer', 'admin');

const evidence = 'Three sites report the same gateway.';

async function aProposal(fields: Fields, by: Api = viewer) {
  const { status, body } = await by.post('/proposals', { evidence, ...fields });
  expect([status, body.state]).toEqual([201, 'pending']);
  return body as { id: string } & Record<string, unknown>;
}

async function anUpdate(fields: Fields = {}, by?: Api) {
  const { body: incident } = await anIncident(agent);
  const update = { operation: 'updateIncident', record_id: incident.id, body: { priority: 'P1' }, ...fields };
  return { incident, proposal: await aProposal(update, by) };
}

describe('proposals', () => {
  it('change nothing before the approval, and then once, with both people in the histories', async () => {
    const { incident, proposal } = await anUpdate({ body: { priority: 'P1', work_note: 'Seen in Porto, too.' } });
    expect((await agent.get(`/incidents/${incident.id}`)).body.priority).toBe('P3');
    const { status, body } = await agent.post(`/proposals/${proposal.id}/approve`, { note: 'Right.' });
    expect([status, body]).toEqual([
      200,
      {
        ...proposal,
        state: 'applied',
        decision_by: 'agent@clients.incidents.localhost',
        decision_at: expect.any(String),
        decision_note: 'Right.',
        updated_at: expect.any(String),
      },
    ]);
    expect((await agent.get(`/incidents/${incident.id}`)).body).toMatchObject({ priority: 'P1', work_notes_count: 1 });
    const { data } = (await agent.get(`/incidents/${incident.id}/history`)).body;
    expect(data.at(-1)).toMatchObject({
      actor: 'agent@clients.incidents.localhost',
      origin: { kind: 'proposal', id: proposal.id },
    });
    const history = (await viewer.get(`/proposals/${proposal.id}/history`)).body.data;
    expect(history.map(({ actor }: { actor: string }) => actor.split('@')[0])).toEqual(['viewer', 'agent', 'agent']);
    expectProblem(await manager.post(`/proposals/${proposal.id}/approve`, {}), 409, 'invalid_transition');
    expect((await agent.get(`/incidents/${incident.id}/notes`)).body.total).toBe(1);
  });

  it('notify managers and the group of the record, and then the proposer', async () => {
    const group = 'network-of-proposals';
    const { body: incident } = await anIncident(agent, { assignment_group: group });
    const propose = (body: Fields, by?: Api) =>
      aProposal({ operation: 'updateIncident', record_id: incident.id, body }, by);
    const list = async (by: Api, query = '') => (await by.get(`/notifications${query}`)).body.data as Fields[];
    const applied = await propose({ priority: 'P2' });
    const rejected = await propose({ priority: 'P1' });
    const failed = await propose({ state: 'closed' });
    const own = await propose({ priority: 'P4' }, admin);
    await service.advance('0s', []);
    const submitted = {
      event: 'proposal.submitted',
      record_id: applied.id,
      group,
      short_description: `updateIncident ${incident.id}: ${evidence}`,
      requested_by: 'viewer@clients.incidents.localhost',
    };
    for (const name of ['itsm_manager', group])
      expect(await list(viewer, `?group=${name}`)).toContainEqual(expect.objectContaining(submitted));
    await agent.post(`/proposals/${applied.id}/approve`, {});
    await agent.post(`/proposals/${rejected.id}/reject`, { note: 'One site only.' });
    await agent.post(`/proposals/${failed.id}/approve`, {});
    await admin.post(`/proposals/${own.id}/approve`, {});
    await service.advance('0s', []);
    const by = 'agent@clients.incidents.localhost';
    expect((await list(viewer)).slice(0, 3)).toEqual([
      expect.objectContaining({ event: 'proposal.failed', record_id: failed.id, by, error: expect.any(String) }),
      expect.objectContaining({ event: 'proposal.rejected', record_id: rejected.id, decision_note: 'One site only.' }),
      expect.objectContaining({ event: 'proposal.applied', record_id: applied.id, by }),
    ]);
    // Nobody is notified of their own actions, and a decided proposal needs no attention.
    const ofAdmin = (await list(admin)).filter(({ record_id }) => record_id === own.id);
    expect(ofAdmin).toMatchObject([{ event: 'proposal.submitted', done: true }]);
    expect((await list(viewer, `?group=${group}`)).map(({ done }) => done)).toEqual([true, true, true, true]);
  });

  it('are applied once by concurrent approvals', async () => {
    const proposal = await aProposal({ operation: 'createIncident', body: { short_description: 'Gateway is down' } });
    const answers = await Promise.all(
      [agent, manager, admin].map((by) => by.post(`/proposals/${proposal.id}/approve`, {})),
    );
    const { body } = await viewer.get(`/proposals/${proposal.id}`);
    expect(body).toMatchObject({ state: 'applied', record_id: expect.stringMatching(/^INC/) });
    for (const { status } of answers) expect([200, 409]).toContain(status);
    expect((await viewer.get('/incidents?q=gateway%20down')).body.total).toBe(1);
  });

  it('are completed by repeating an interrupted approval, as the change of the first approver', async () => {
    const { incident, proposal } = await anUpdate();
    // The decision is stored; the change itself fails.
    await setFault(service, {
      caller: 'incidents-local--approve-proposal',
      service: 'dynamodb',
      operation: 'TransactWriteItems',
      after: 0,
      times: 1,
      kind: 'permanent',
    });
    expectProblem(await agent.post(`/proposals/${proposal.id}/approve`, {}), 500, 'internal_error');
    expect((await viewer.get(`/proposals/${proposal.id}`)).body.state).toBe('approved');
    expect((await manager.post(`/proposals/${proposal.id}/approve`, {})).body).toMatchObject({
      state: 'applied',
      decision_by: 'agent@clients.incidents.localhost',
    });
    const { data } = (await agent.get(`/incidents/${incident.id}/history`)).body;
    expect(data.at(-1)).toMatchObject({ version: 2, actor: 'agent@clients.incidents.localhost' });
  });

  it('create and update configuration items', async () => {
    const creation = await aProposal({ operation: 'createCi', body: { name: 'gw-01', class: 'gateway' } });
    const { record_id } = (await agent.post(`/proposals/${creation.id}/approve`, {})).body;
    const update = await aProposal({ operation: 'updateCi', record_id, body: { status: 'down' } });
    expect((await agent.post(`/proposals/${update.id}/approve`, {})).body.state).toBe('applied');
    expect((await viewer.get(`/cmdb/cis/${record_id}`)).body).toMatchObject({ name: 'gw-01', status: 'down' });
  });

  it('fail with the error of the operation if the record has changed', async () => {
    const { incident, proposal } = await anUpdate({ if_match: '"1-0"' });
    await agent.patch(`/incidents/${incident.id}`, { category: 'network' });
    const { body } = await agent.post(`/proposals/${proposal.id}/approve`, {});
    expect(body).toMatchObject({ state: 'failed', error: { code: 'precondition_failed' } });
    expect((await agent.get(`/incidents/${incident.id}`)).body.priority).toBe('P3');
  });

  it('can be rejected, which applies nothing', async () => {
    const { incident, proposal } = await anUpdate();
    const { body } = await agent.post(`/proposals/${proposal.id}/reject`, { note: 'One site only.' });
    expect(body).toMatchObject({ state: 'rejected', decision_note: 'One site only.' });
    expectProblem(await agent.post(`/proposals/${proposal.id}/approve`, {}), 409, 'invalid_transition');
    expect((await agent.get(`/incidents/${incident.id}`)).body.priority).toBe('P3');
  });

  it('need an approver with the role of the operation who is not the proposer', async () => {
    const { proposal } = await anUpdate({}, agent);
    expectProblem(await viewer.post(`/proposals/${proposal.id}/approve`, {}), 403, 'forbidden');
    expectProblem(await agent.post(`/proposals/${proposal.id}/approve`, {}), 403, 'forbidden');
    expect((await manager.post(`/proposals/${proposal.id}/approve`, {})).body.state).toBe('applied');
  });

  it.each<[string, Fields, string]>([
    ['an unknown operation', { operation: 'deleteIncident', body: {} }, 'operation'],
    ['a body that the operation rejects', { operation: 'createIncident', body: { priority: 'P9' } }, 'priority'],
    ['a record that does not exist', { operation: 'updateIncident', record_id: 'INC0000000', body: {} }, 'record_id'],
    ['no record for an update', { operation: 'updateIncident', body: { priority: 'P1' } }, 'record_id'],
    [
      'a record for a creation',
      { operation: 'createIncident', record_id: 'INC0000000', body: { short_description: 'x' } },
      'record_id',
    ],
    ['no evidence', { operation: 'createIncident', body: { short_description: 'x' }, evidence: undefined }, 'evidence'],
  ])('reject %s', async (_, fields, field) => {
    const { status, body } = await viewer.post('/proposals', { evidence, ...fields });
    expect([status, body.code]).toEqual([400, 'invalid_input']);
    expect(JSON.stringify(body.errors)).toContain(field);
  });

  it('are listed by state, operation and record', async () => {
    const { incident, proposal } = await anUpdate();
    const list = async (query: string) =>
      (await viewer.get(`/proposals?${query}`)).body.data.map(({ id }: { id: string }) => id);
    expect(await list(`record_id=${incident.id}&state=pending&operation=updateIncident`)).toEqual([proposal.id]);
    expect(await list(`record_id=${incident.id}&state=applied`)).toEqual([]);
  });
});
