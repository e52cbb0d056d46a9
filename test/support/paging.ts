// Policies, groups that page, and the pages of an incident.
import { createItemStore } from '../../lambdas/records/item-store.ts';
import type { Write } from '../../lambdas/records/write-items.ts';
import type { Answer } from './http.ts';
import { type Api, anIncident, type Fields } from './incidents.ts';
import { readOutbox } from './outbox.ts';
import type { Service } from './service.ts';
import { createTableClient, findRecordsTable } from './tables.ts';

type Target = { type: 'person' | 'schedule' | 'group'; id: string };

export const toPerson = (id: string): Target => ({ type: 'person', id });

/** A policy with one step per list of targets. */
export async function aPolicy(
  manager: Api,
  steps: readonly (readonly Target[])[],
  fields: Fields = {},
): Promise<string> {
  const { status, body } = await manager.post('/escalation-policies', {
    name: 'Network',
    steps: steps.map((targets) => ({ targets, wait_minutes: 5 })),
    ...fields,
  });
  if (status !== 201) throw new Error(`POST /escalation-policies returned ${JSON.stringify(body)}`);
  return body.id;
}

let groups = 0;

/** A group of its own whose incidents page with the policy. */
export async function aPagingGroup(manager: Api, policyId: string, fields: Fields = {}): Promise<string> {
  const group = `paging-${++groups}`;
  const { status, body } = await manager.put(`/groups/${group}/paging`, { escalation_policy_id: policyId, ...fields });
  if (status !== 200) throw new Error(`PUT /groups/${group}/paging returned ${JSON.stringify(body)}`);
  return group;
}

/** Creates an incident and lets everything that follows from it happen. */
export async function anIncidentThatPages(
  service: Service,
  api: Api,
  assignment_group: string,
  fields: Fields = {},
): Promise<string> {
  const { body } = await anIncident(api, { priority: 'P1', assignment_group, ...fields });
  await service.advance('1s', []);
  return body.id;
}

export async function listPages(api: Api, incidentId: string): Promise<Answer['body'][]> {
  const { status, body } = await api.get(`/incidents/${incidentId}/pages`);
  if (status !== 200) throw new Error(`GET pages returned ${status}: ${JSON.stringify(body)}`);
  return body.data;
}

/** The links in the messages to a person about an incident, newest first. */
export async function readLinks(
  service: Pick<Service, 'baseUrl'>,
  person: string,
  incidentId: string,
): Promise<string[]> {
  const messages = await readOutbox(service, person);
  return messages
    .filter(({ text, subject }) => `${subject} ${text}`.includes(incidentId))
    .flatMap(({ text }) => /https?:\/\/\S+\/acknowledge\?t=[\w.-]+/.exec(text) ?? []);
}

/** Writes items as a function would that crashed afterwards. */
export async function storeItems(service: Service, writes: readonly Write[]): Promise<void> {
  const client = createTableClient(service);
  await createItemStore(client, await findRecordsTable(client)).transact(writes);
  client.destroy();
}
