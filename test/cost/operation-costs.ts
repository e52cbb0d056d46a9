// Runs every operation of the contract on the local service and counts what one request consumes, including the work
// behind streams and queues.
import type { Operation } from '../../contract/operation.ts';
import { operations } from '../../contract/routes.ts';
import { Pools } from '../hostile/pools.ts';
import { call, getToken } from '../support/http.ts';
import { createApi } from '../support/incidents.ts';
import { random } from '../support/random.ts';
import type { Service } from '../support/service.ts';
import { readUnits, resetCounters, type Units } from './measured-usage.ts';
import { lambdaGbSecond, perMillion } from './prices.ts';
import { prepareSubject, type Subject } from './subjects.ts';

const runs = 3;

/** Of operations with a required query. */
const queries: Readonly<Record<string, string>> = {
  getChangeCalendar: '?from=2026-03-01T00:00:00Z&to=2026-03-31T00:00:00Z',
  getChangeCollisions: '?from=2026-03-08T20:00:00Z&to=2026-03-08T21:00:00Z&ci_ids=CI0000001',
};

export interface OperationCost {
  operation: Operation;
  /** Undefined if the example was rejected. */
  units: Units | undefined;
}

export async function measureOperations(
  service: Service,
  memoryMb: (functionName: string) => number,
): Promise<OperationCost[]> {
  const pools = new Pools(service);
  await pools.fill();
  const token = await getToken(service, 'admin');
  const api = createApi(service, token);
  const choice = random(1);
  const costs: OperationCost[] = [];
  for (const operation of operations) {
    const measured: Units[] = [];
    for (let run = 0; run < runs; run++) {
      const prepare = prepareSubject[operation.name];
      const subject = prepare ? await prepare(api, service) : { params: await pools.params(operation, choice) };
      await service.advance('1s');
      await service.hold(true);
      await resetCounters(service);
      const answer = await request(service, operation, subject, token, `${operation.name} ${run}`);
      // Completes the asynchronous work of the request.
      await service.advance('1ms');
      if (answer.status < 400) measured.push(await readUnits(service, memoryMb));
      await service.hold(false);
      await pools.learn(operation, subject.params, answer);
    }
    costs.push({ operation, units: summarize(measured, operation.method) });
  }
  return costs;
}

function request(
  service: Service,
  { name, method, path, bodyExample }: Operation,
  { params, body: ownBody }: Subject,
  token: string,
  question: string,
) {
  const body = ownBody ?? (isQuestion(bodyExample) ? { ...bodyExample, question } : bodyExample);
  const target = path.replaceAll(/\{(\w+)\}/g, (_, param: string) => params[param] ?? 'none');
  return call(service, `/v1${target}${queries[name] ?? ''}`, {
    method,
    token,
    ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
}

/** A new question each time, since a cached answer costs less. */
function isQuestion(body: unknown): body is { question: string } {
  return typeof body === 'object' && body !== null && 'question' in body;
}

/** The median. Only the first of equal updates changes anything, and only the shortest run has no wait time. */
function summarize(measured: readonly Units[], method: string): Units | undefined {
  const [first] = measured;
  if (!first) return undefined;
  const pick = (name: keyof Units) => {
    const values = measured.map((units) => units[name]).toSorted((a, b) => a - b);
    const position = name === 'gbSeconds' ? 0 : method === 'PATCH' ? values.length - 1 : Math.floor(values.length / 2);
    return [name, values[position] ?? 0];
  };
  return Object.fromEntries((Object.keys(first) as (keyof Units)[]).map(pick)) as Units;
}

/** Dollars per million requests. The gateway and CloudFront count each request once. */
export function priceRequests(units: Units): { functions: number; data: number; total: number } {
  const functions = units.invocations * perMillion.lambdaRequests + units.gbSeconds * lambdaGbSecond * 1_000_000;
  const data = priceData(units);
  return { functions, data, total: perMillion.gatewayRequests + perMillion.cloudFrontRequests + functions + data };
}

export function priceData(units: Units): number {
  return (
    units.readUnits * perMillion.dynamoDbReadUnits +
    units.writeUnits * perMillion.dynamoDbWriteUnits +
    units.sqs * perMillion.sqsRequests +
    units.sns * perMillion.snsPublishes +
    units.stateTransitions * perMillion.stateTransitions +
    units.kms * perMillion.kmsRequests +
    units.s3Reads * perMillion.s3Reads +
    units.s3Writes * perMillion.s3Writes
  );
}
