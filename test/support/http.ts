// Plain HTTP requests, like curl. Tests of the API do not use the SDK.
import type { Service } from './service.ts';

export type ClientName = keyof Service['credentials']['clients'];

export interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test states what it expects of a body it did not type.
  body: any;
}

export async function requestToken(
  service: Service,
  form: Record<string, string>,
  headers: Record<string, string> = {},
) {
  const response = await fetch(`${service.authUrl}/oauth2/token`, {
    method: 'POST',
    headers,
    body: new URLSearchParams(form),
  });
  return { status: response.status, body: (await response.json()) as Record<string, string> };
}

export async function getToken(service: Service, name: ClientName): Promise<string> {
  const { body } = await requestToken(service, {
    grant_type: 'client_credentials',
    ...service.credentials.clients[name],
  });
  return body.access_token!;
}

export async function call(
  service: Pick<Service, 'baseUrl'>,
  path: string,
  init: RequestInit & { token?: string } = {},
): Promise<Answer> {
  const { token, ...rest } = init;
  const headers = {
    ...(token ? { authorization: `Bearer ${token}` } : {}),
    ...(rest.headers as Record<string, string>),
  };
  const response = await fetch(`${service.baseUrl}/prod/api${path}`, { ...rest, headers });
  const text = await response.text();
  const isJson = /\bjson\b/.test(response.headers.get('content-type') ?? '');
  const body = text !== '' && isJson ? JSON.parse(text) : text || undefined;
  return { status: response.status, headers: response.headers, body };
}

/** Checks the format and headers that all errors have. `fields` are all fields with an error, in any order. */
export function expectProblem(answer: Answer, status: number, code: string, fields?: readonly string[]): void {
  expect({ status: answer.status, code: answer.body?.code }).toEqual({ status, code });
  expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
  expect(answer.body).toMatchObject({
    type: expect.any(String),
    title: expect.any(String),
    status,
    detail: expect.any(String),
  });
  expect(answer.body.request_id).toBe(answer.headers.get('x-request-id'));
  expectRateHeaders(answer);
  if (fields) {
    const named = answer.body.errors.map(({ field }: { field: string }) => field);
    expect(named.sort()).toEqual(fields.toSorted());
  }
}

export function expectRateHeaders({ headers }: Answer): void {
  for (const name of ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']) {
    expect(headers.get(name)).toMatch(/^\d+$/);
  }
}
