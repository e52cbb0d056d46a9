// One AWS call of one function that fails once, set through /_local/faults.
import type { Service } from '../support/service.ts';

/** `lost`: the call succeeds, and the connection breaks before its response. */
export const faultKinds = ['throttled', 'lost', 'permanent'] as const;

export interface Fault {
  /** The name of the function, as the server counts its calls. */
  caller: string;
  service: string;
  operation: string;
  /** How many such calls succeed first. */
  after: number;
  /** How many such calls fail then. */
  times: number;
  kind: (typeof faultKinds)[number];
}

export interface FaultResult {
  fault: Fault;
  /** What should not have happened. */
  finding: string | undefined;
  /** Whether the call was made. */
  wasHit: boolean;
}

export function formatFault({ caller, service, operation, after, kind }: Fault): string {
  return `${kind} ${service}.${operation} #${after + 1} of ${caller}`;
}

/** The errors that each service returns above its limits; the others return ThrottlingException. */
const throttlingErrors: Readonly<Record<string, { error: string; status?: number }>> = {
  dynamodb: { error: 'ProvisionedThroughputExceededException', status: 400 },
  'cognito-idp': { error: 'TooManyRequestsException', status: 400 },
  apigateway: { error: 'TooManyRequestsException', status: 429 },
  s3: { error: 'SlowDown', status: 503 },
};

export async function setFault({ baseUrl }: Service, { kind, ...where }: Fault): Promise<void> {
  const effects = {
    throttled: throttlingErrors[where.service] ?? { error: 'ThrottlingException', status: 400 },
    lost: { lost: true },
    permanent: { error: 'ValidationException', status: 400, message: 'The request can never succeed.' },
  };
  const response = await fetch(`${baseUrl}/_local/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...where, ...effects[kind] }),
  });
  if (!response.ok) throw new Error(`the fault was not set: ${await response.text()}`);
}

/** Returns whether the fault was hit. */
export async function clearFault({ baseUrl }: Service, { times }: Fault): Promise<boolean> {
  const url = `${baseUrl}/_local/faults`;
  const left = (await (await fetch(url)).json()) as Record<string, { times: number }>;
  await fetch(url, { method: 'DELETE' });
  return Object.values(left).every((fault) => fault.times < times);
}

/** Makes the next call of each function a cold start, because warm functions keep the results of some calls. */
export async function endWorkers({ baseUrl }: Service): Promise<void> {
  await fetch(`${baseUrl}/_local/workers`, { method: 'DELETE' });
}

export interface CountedCall {
  caller: string;
  service: string;
  operation: string;
  count: number;
}

export async function resetCalls({ baseUrl }: Service): Promise<void> {
  await fetch(`${baseUrl}/_local/usage`, { method: 'DELETE' });
}

export async function listCalls({ baseUrl }: Service): Promise<CountedCall[]> {
  const { calls } = (await (await fetch(`${baseUrl}/_local/usage`)).json()) as { calls: Record<string, number> };
  return Object.entries(calls).map(([key, count]) => {
    const [caller = '', rest = ''] = [key.slice(0, key.indexOf(' ')), key.slice(key.indexOf(' ') + 1)];
    const dot = rest.indexOf('.');
    // The id of a key is another one in each request.
    const operation = rest.slice(dot + 1).replace(/(\/apikeys\/).*/, '$1*');
    return { caller, service: rest.slice(0, dot), operation, count };
  });
}

/** Every counted call with every kind of fault. A call that is made very often fails only in its first places. */
export function toFaults(
  calls: readonly CountedCall[],
  { maxPlaces, permanentTimes = 1 }: { maxPlaces: number; permanentTimes?: number },
): Fault[] {
  return calls.flatMap(({ caller, service, operation, count }) =>
    Array.from({ length: Math.min(count, maxPlaces) }, (_, after) =>
      faultKinds.map((kind) => {
        const times = kind === 'permanent' ? permanentTimes : 1;
        return { caller, service, operation, after, times, kind };
      }),
    ).flat(),
  );
}
