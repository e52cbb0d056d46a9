// JSON requests of tests, over plain HTTP.
import { type Answer, type ClientName, call, getToken } from './http.ts';
import { type Service, startService } from './service.ts';

export type Fields = Readonly<Record<string, unknown>>;

type Headers = Readonly<Record<string, string>>;

/** The API as one caller. */
export interface Api {
  get(path: string, headers?: Headers): Promise<Answer>;
  post(path: string, body: unknown, headers?: Headers): Promise<Answer>;
  patch(path: string, body: unknown, headers?: Headers): Promise<Answer>;
  put(path: string, body: unknown, headers?: Headers): Promise<Answer>;
  delete(path: string, headers?: Headers): Promise<Answer>;
}

/** Jest loads this module once per test file, so that the parts of a file share one service. */
let started: Promise<Service> | undefined;

/** Starts a service for the tests of one file, with the APIs of these clients, and stops it after the last test. */
export async function startTestService<Name extends ClientName = never>(
  ...names: readonly Name[]
): Promise<{ service: Service } & Record<Name, Api>> {
  if (!started) afterAll(async () => (await started)?.stop());
  started ??= startService();
  const service = await started;
  const apis = await Promise.all(names.map(async (name) => [name, await getApi(service, name)] as const));
  return { service, ...(Object.fromEntries(apis) as Record<Name, Api>) };
}

export async function getApi(service: Service, client: ClientName): Promise<Api> {
  return createApi(service, await getToken(service, client));
}

export function createApi(service: Service, token: string): Api {
  const send = (method: string, path: string, headers: Headers, body?: unknown) =>
    call(service, `/v1${path}`, {
      method,
      token,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  return {
    get: (path, headers = {}) => send('GET', path, headers),
    post: (path, body, headers = {}) => send('POST', path, headers, body),
    patch: (path, body, headers = {}) => send('PATCH', path, headers, body),
    put: (path, body, headers = {}) => send('PUT', path, headers, body),
    delete: (path, headers = {}) => send('DELETE', path, headers),
  };
}

/** Creates an incident and returns the response. */
export async function anIncident(api: Api, fields: Fields = {}): Promise<Answer> {
  const answer = await api.post('/incidents', { short_description: 'Mail is not delivered', ...fields });
  expect(answer.status).toBe(201);
  return answer;
}

/** The updates that lead from `new` to each state. */
export const ways: Readonly<Record<string, readonly string[]>> = {
  new: [],
  in_progress: ['in_progress'],
  on_hold: ['in_progress', 'on_hold'],
  resolved: ['in_progress', 'resolved'],
  closed: ['in_progress', 'resolved', 'closed'],
  cancelled: ['cancelled'],
  reopened: ['in_progress', 'resolved', 'reopened'],
};

export async function anIncidentIn(api: Api, state: string): Promise<string> {
  const { body } = await anIncident(api);
  for (const next of ways[state]!) {
    expect((await api.patch(`/incidents/${body.id}`, { state: next })).status).toBe(200);
  }
  return body.id;
}

/** Counts the AWS calls of one function during `work`, except the UpdateItem that counts its requests. */
export async function countCalls(
  service: Service,
  functionName: string,
  work: () => Promise<unknown>,
): Promise<Record<string, number>> {
  await fetch(`${service.baseUrl}/_local/usage`, { method: 'DELETE' });
  await work();
  const usage = (await (await fetch(`${service.baseUrl}/_local/usage`)).json()) as { calls: Record<string, number> };
  const own = Object.entries(usage.calls).filter(([name]) => name.split(' ')[0]!.endsWith(`-${functionName}`));
  const calls = own.map(([name, count]): [string, number] => [name.split(' ')[1]!, count]);
  return Object.fromEntries(calls.filter(([name]) => name !== 'dynamodb.UpdateItem'));
}
