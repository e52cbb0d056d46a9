// Sends every operation of the contract with its example body. Records are created first and deleted last.

import type { Operation } from '../../contract/operation.ts';
import { operations } from '../../contract/routes.ts';
import { send } from '../stage/requests.ts';
import type { Stage } from '../stage/stage-under-test.ts';

/** Operations whose example cannot succeed on a new service, by the status that they get. */
const expectedRejections: Readonly<Record<string, number>> = {
  // The record of the example does not exist.
  analyzeRecord: 404,
  // There is no notification, received event or delivery yet.
  readNotification: 404,
  replayInboundEvent: 404,
  replayDelivery: 404,
  // Approved before in the same run.
  rejectChange: 409,
  rejectProposal: 409,
  rejectRequest: 409,
  updateChange: 409,
  // Examples have no query parameters, and these are required.
  getChangeCalendar: 400,
  getChangeCollisions: 400,
};

/** One line for each operation that neither succeeded nor was rejected as expected. */
export async function callEveryOperation(
  stage: Stage,
): Promise<{ succeeded: number; rejected: number; failed: string[] }> {
  const ids = new Map<string, string>();
  const failed: string[] = [];
  let [succeeded, rejected] = [0, 0];
  const ordered = [...operations].sort((a, b) => getRank(a) - getRank(b));
  for (const operation of ordered) {
    const { method, name, path, bodyExample } = operation as Operation;
    const response = await send(stage, method, fillPath(path, ids), {
      token: stage.token,
      ...(bodyExample !== undefined && { body: nameRecord(bodyExample, ids) }),
    });
    if (response.status < 400) succeeded++;
    else if (response.status === expectedRejections[name]) rejected++;
    else failed.push(`${name}: ${response.status} ${JSON.stringify(response.body).slice(0, 300)}`);
    const { id, job_id, data } = (response.body ?? {}) as { id?: string; job_id?: string; data?: { id?: string }[] };
    if (job_id !== undefined) ids.set('/jobs', job_id);
    const found = id ?? data?.[0]?.id;
    if (found !== undefined && !ids.has(path)) ids.set(path, found);
  }
  return { succeeded, rejected, failed };
}

/** The example of a proposal names an incident and its version; the proposal is for the incident created before. */
function nameRecord(body: unknown, ids: ReadonlyMap<string, string>): unknown {
  if (typeof body !== 'object' || body === null || !('operation' in body && 'record_id' in body)) return body;
  return { ...body, record_id: ids.get('/incidents'), if_match: null };
}

function getRank({ method, path }: Pick<Operation, 'method' | 'path'>): number {
  const order = { POST: 1, GET: 2, PUT: 3, PATCH: 4, DELETE: 9 };
  return order[method] + path.split('{').length / 10;
}

/** The id of a record comes from the response to its collection; an unknown one gets 404. */
function fillPath(path: string, ids: ReadonlyMap<string, string>): string {
  return path.replaceAll(/\/\{\w+\}/g, (_parameter, offset: number) => {
    const collection = path.slice(0, offset);
    return `/${ids.get(collection) ?? ids.get(`${collection}/bulk`) ?? 'unknown'}`;
  });
}
