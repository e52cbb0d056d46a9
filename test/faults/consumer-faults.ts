// Fails every AWS call of every function behind a stream, a queue or a schedule once, while a day's typical work goes on.
import { operations } from '../../contract/routes.ts';
import { getToken } from '../support/http.ts';
import type { Service } from '../support/service.ts';
import {
  clearFault,
  endWorkers,
  type Fault,
  type FaultResult,
  formatFault,
  listCalls,
  resetCalls,
  setFault,
  toFaults,
} from './fault.ts';
import { mark, Requests } from './requests.ts';

const maxPlaces = 2;
/** A batch that fails is processed again entry by entry, so one failure would reject none. */
const permanentTimes = 2;

/** Runs the work once without a fault to learn which calls the consumers make. */
export async function listConsumerFaults(service: Service): Promise<Fault[]> {
  await resetCalls(service);
  await doWork(service);
  const own = new Set(operations.map(({ name }) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)));
  const calls = (await listCalls(service)).filter(({ caller }) => !own.has(caller.slice(caller.indexOf('--') + 2)));
  return toFaults(
    calls.filter(({ caller }) => !otherCallers.test(caller)),
    { maxPlaces, permanentTimes },
  );
}

/** The operator is the test itself; the authorizer and the AI layer serve requests. */
const otherCallers = /^operator$|--(authorizer|assist)$/;

/** A fault of a consumer never reaches the caller. */
export async function runConsumerFault(service: Service, fault: Fault): Promise<FaultResult> {
  const warm = await runWork(service, fault);
  if (warm.wasHit) return warm;
  await endWorkers(service);
  return runWork(service, fault);
}

async function runWork(service: Service, fault: Fault): Promise<FaultResult> {
  await setFault(service, fault);
  const finding = await doWork(service).then(
    () => undefined,
    (error: unknown) => `the work did not end with ${formatFault(fault)}: ${error}`,
  );
  return { fault, finding, wasHit: await clearFault(service, fault) };
}

async function doWork(service: Service): Promise<void> {
  const requests = new Requests(service, await getToken(service, 'admin'));
  const incident = await requests.post('/incidents', {
    short_description: 'Mail is not delivered',
    assignment_group: 'network',
    notify_stakeholders: true,
  });
  const change = (body: object) => requests.patch(`/incidents/${incident.id}`, body);
  await change({ state: 'in_progress', work_note: 'Looking at the queue, @ada@example.com.' });
  await change({ state: 'resolved', resolution: 'The queue was restarted.' });
  const record = { short_description: 'Printer is jammed' };
  await requests.post('/incidents/bulk', mark({ operation: 'create', records: [record, record] }));
  await requests.post('/cmdb/cis/bulk', { operation: 'discover', records: [{ name: incident.id, class: 'server' }] });
  const { id } = await requests.post('/changes', { short_description: 'Renew a certificate' });
  await requests.post(`/changes/${id}/approve`, { note: 'Fine.' });
  await requests.post('/knowledge/articles', { title: 'Mail', body: 'Restart the queue.', state: 'published' });
  // Long enough for the schedules, and for messages that a consumer could not process.
  await service.advance('6m');
}
