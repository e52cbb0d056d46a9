// Fails every AWS call of every operation once. A caller gets the result, or a documented error, and may repeat the request.
import { errors } from '../../contract/errors.ts';
import { listErrorCodes, type Operation } from '../../contract/operation.ts';
import { type Answer, getToken } from '../support/http.ts';
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
import { Requests } from './requests.ts';

export interface OperationFault {
  operation: Operation;
  fault: Fault;
  /** The status without a fault. */
  status: number;
}

/** Later calls of a page of queries are like the first ones. */
const maxPlaces = 3;

/** Sends each operation once to learn which calls its function makes. */
export async function listOperationFaults(
  service: Service,
  operations: readonly Operation[],
): Promise<OperationFault[]> {
  const faults: OperationFault[] = [];
  for (const operation of operations) {
    const requests = await signIn(service);
    const request = await requests.prepare(operation);
    await service.advance('1s', []);
    await resetCalls(service);
    const { status, body } = await requests.send(request);
    if (status >= 300) throw new Error(`${operation.name} returned ${status} without a fault: ${JSON.stringify(body)}`);
    const calls = (await listCalls(service)).filter(({ caller }) => isOwnFunction(caller, operation));
    faults.push(...toFaults(calls, { maxPlaces }).map((fault) => ({ operation, fault, status })));
  }
  return faults;
}

export async function runOperationFault(service: Service, operationFault: OperationFault): Promise<FaultResult> {
  const warm = await runRequest(service, operationFault, async () => {});
  return warm.wasHit ? warm : runRequest(service, operationFault, () => endWorkers(service));
}

async function runRequest(
  service: Service,
  operationFault: OperationFault,
  beforeFault: () => Promise<void>,
): Promise<FaultResult> {
  const requests = await signIn(service);
  // The retry of a lost response has no effect of its own, and callers need no idempotency key for this.
  const hasKey = operationFault.fault.kind !== 'lost';
  const request = await requests.prepare(operationFault.operation, { hasKey });
  await service.advance('1s', []);
  await beforeFault();
  await setFault(service, operationFault.fault);
  const answer = await requests.send(request);
  const wasHit = await clearFault(service, operationFault.fault);
  const finding = await judge(operationFault, answer, () => requests.send(request));
  return { fault: operationFault.fault, finding, wasHit };
}

/** Returns what the caller should not have seen, or undefined. */
async function judge(
  { operation, fault, status }: OperationFault,
  answer: Answer,
  repeat: () => Promise<Answer>,
): Promise<string | undefined> {
  const report = (what: string, { status: got, body }: Answer) =>
    `${operation.name}, ${formatFault(fault)}: ${what}, ${got} ${JSON.stringify(body)?.slice(0, 300)}`;
  if (!isDocumented(operation, answer)) return report('not documented', answer);
  if (answer.status === status) return undefined;
  if (fault.kind !== 'permanent' && answer.status !== 503) return report('a passing fault reached the caller', answer);
  // A deletion may have happened before a later step failed.
  const repeated = await repeat();
  const isDone = repeated.status === status || (operation.method === 'DELETE' && repeated.status === 404);
  return isDone ? undefined : report('the repeated request failed', repeated);
}

async function signIn(service: Service): Promise<Requests> {
  return new Requests(service, await getToken(service, 'admin'));
}

/** Operations of the AI layer share one function. */
function isOwnFunction(caller: string, { name, capability }: Operation): boolean {
  const own = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return caller.endsWith(`--${own}`) || (capability === 'ai' && caller.endsWith('--assist'));
}

function isDocumented(operation: Operation, { status, body }: Answer): boolean {
  if (status < 300) return String(status) in operation.responses;
  return listErrorCodes(operation).some((code) => code === body?.code && errors[code].status === status);
}
