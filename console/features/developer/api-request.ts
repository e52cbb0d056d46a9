import type { Operation } from './api-document.ts';

// The request that the user fills in on the page of an operation, as a request, a curl command and a call of the SDK.

export interface Draft {
  /** By name; empty values are not sent. */
  values: Readonly<Record<string, string>>;
  body: string;
}

export function createDraft({ parameters, body }: Operation): Draft {
  const required = parameters.filter((parameter) => parameter.required);
  return {
    values: Object.fromEntries(required.map(({ name, schema }) => [name, String(schema.examples?.[0] ?? '')])),
    body: body ? JSON.stringify(body.example ?? {}, null, 2) : '',
  };
}

export interface ApiRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | undefined;
}

export function toRequest(operation: Operation, { values, body }: Draft, root: string): ApiRequest {
  const given = (place: string) =>
    operation.parameters.flatMap(({ in: where, name }): [string, string][] => {
      const value = values[name]?.trim() ?? '';
      return where === place && value !== '' ? [[name, value]] : [];
    });
  const query = new URLSearchParams(given('query')).toString().replaceAll('%2C', ',');
  return {
    method: operation.method,
    url: `${root}${fillPath(operation.path, values)}${query === '' ? '' : `?${query}`}`,
    headers: {
      ...Object.fromEntries(given('header')),
      ...(operation.body ? { 'Content-Type': 'application/json' } : {}),
    },
    body: operation.body ? body : undefined,
  };
}

function fillPath(path: string, values: Draft['values']): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name]?.trim() ?? ''));
}

/** Names the required parameters without a value, and a body that is not JSON. */
export function findDraftProblem(operation: Operation, { values, body }: Draft): string | undefined {
  const missing = operation.parameters.filter(({ name, required }) => required && !values[name]?.trim());
  if (missing.length > 0) return `Enter ${missing.map(({ name }) => name).join(' and ')}.`;
  if (!operation.body) return undefined;
  try {
    JSON.parse(body);
    return undefined;
  } catch (error) {
    return `The body is not JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** For a shell that has an access token in ITSM_TOKEN. */
export function formatCurl({ method, url, headers, body }: ApiRequest): string {
  const lines = [
    `curl -i -X ${method} ${quote(url)}`,
    '-H "Authorization: Bearer $ITSM_TOKEN"',
    ...Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d ${quote(body)}`]),
  ];
  return lines.join(' \\\n  ');
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Reads take all parameters as one object; writes take the path parameters, then the body. */
export function formatSdkCall(operation: Operation, { values, body }: Draft): string {
  const places = operation.method === 'GET' ? ['path', 'query'] : ['path'];
  const given = operation.parameters.filter(({ in: where, name }) => places.includes(where) && values[name]?.trim());
  const parameters = given.map(({ name }) => `${name}: ${JSON.stringify(values[name]?.trim())}`).join(', ');
  const args = [
    ...(parameters === '' ? [] : [`{ ${parameters} }`]),
    ...(operation.body ? [body.trim() === '' ? '{}' : body] : []),
  ];
  return `const response = await client.${operation.operationId}(${args.join(', ')});`;
}
