import { ListExecutionsCommand, ListStateMachinesCommand, SFNClient } from '@aws-sdk/client-sfn';
import { getApi } from '../support/incidents.ts';
import { readOutbox } from '../support/outbox.ts';
import { anIncidentThatPages, aPagingGroup, aPolicy, listPages, readLinks, toPerson } from '../support/paging.ts';
import { createPerson } from '../support/people.ts';
import { type Service, startService } from '../support/service.ts';

let service: Service;
afterAll(() => service?.stop());

describe('a P1 incident at night', () => {
  it('calls the first person, then the second, and nobody after the link of the message was used', async () => {
    service = await startService();
    const [manager, agent] = [await getApi(service, 'manager'), await getApi(service, 'agent')];
    const [ada, grace] = ['ada.night@example.com', 'grace.night@example.com'];
    for (const email of [ada, grace]) await createPerson(service, email, 'itsm_agent');
    const policy = await aPolicy(manager, [[toPerson(ada)], [toPerson(grace)]], { repeat: 9 });
    const id = await anIncidentThatPages(service, agent, await aPagingGroup(manager, policy));
    expect(await readOutbox(service, ada)).toHaveLength(1);
    expect(await readOutbox(service, grace)).toEqual([]);

    await service.advance('5m', []);
    const [link] = await readLinks(service, grace, id);
    expect(await (await fetch(link!)).text()).toContain(`Asked: ${grace}`);
    expect((await fetch(link!, { method: 'POST' })).status).toBe(200);

    const sent = [await readOutbox(service, ada), await readOutbox(service, grace)];
    await service.advance('3h', ['sweep-pages']);
    expect([await readOutbox(service, ada), await readOutbox(service, grace)]).toEqual(sent);
    const reader = await getApi(service, 'agent');
    const [page] = await listPages(reader, id);
    expect(page).toMatchObject({ state: 'acknowledged', acknowledged_by: grace, step: 2, repetition: 0 });
    expect((await reader.get(`/incidents/${id}`)).body).toMatchObject({ acknowledged_by: grace, state: 'in_progress' });
    expect(await countExecutions('RUNNING')).toBe(0);
    expect(await countExecutions('SUCCEEDED')).toBe(1);
  });
});

/** One execution per page, which ends with the page. */
async function countExecutions(statusFilter: 'RUNNING' | 'SUCCEEDED'): Promise<number> {
  const { awsUrl: endpoint, awsCredentials: credentials } = service;
  const client = new SFNClient({ endpoint, region: 'us-east-1', credentials });
  const { stateMachines = [] } = await client.send(new ListStateMachinesCommand({}));
  const { stateMachineArn } = stateMachines.find(({ name }) => name?.endsWith('-pages'))!;
  const { executions = [] } = await client.send(new ListExecutionsCommand({ stateMachineArn, statusFilter }));
  client.destroy();
  return executions.length;
}
