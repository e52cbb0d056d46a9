// Checks who may call an operation, for many operations in one test.
import { type Answer, type ClientName, call, expectProblem, getToken } from './http.ts';
import type { Service } from './service.ts';

/** A method, a path below /v1 and a body, if there is one. */
export type Request = readonly [method: string, path: string, body?: unknown];

/** Expects 403 for a client whose role is too low, and 401 without a token. */
export async function expectAccess(service: Service, requests: readonly Request[], tooLow?: ClientName): Promise<void> {
  const low = tooLow && (await getToken(service, tooLow));
  for (const request of requests) {
    expectProblem(await send(service, request), 401, 'unauthorized');
    if (low) expectProblem(await send(service, request, low), 403, 'forbidden');
  }
}

export async function expectNotFound(service: Service, requests: readonly Request[], as: ClientName): Promise<void> {
  const token = await getToken(service, as);
  for (const request of requests) expectProblem(await send(service, request, token), 404, 'not_found');
}

function send(service: Service, [method, path, body]: Request, token?: string): Promise<Answer> {
  const content = { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  return call(service, `/v1${path}`, { method, ...(token && { token }), ...(body !== undefined && content) });
}
