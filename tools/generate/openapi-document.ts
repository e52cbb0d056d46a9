import { readFileSync } from 'node:fs';
import type * as z from 'zod';
import {
  createDocument,
  type ZodOpenApiObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiOverride,
  type ZodOpenApiResponseObject,
} from 'zod-openapi';
import { type ErrorCode, errors, problem, problemContentType, toProblem } from '../../contract/errors.ts';
import { deliveryHeaders, deliveryPayloads } from '../../contract/event-payloads.ts';
import {
  apiPrefixes,
  commonResponseHeaders,
  fixedResponseHeaders,
  retryAfter,
  stageName,
} from '../../contract/http.ts';
import { incidentImport } from '../../contract/incident-imports.ts';
import {
  type HeaderSpec,
  isOptional,
  listErrorCodes,
  type Operation,
  type ResponseSpec,
} from '../../contract/operation.ts';
import { problemImport } from '../../contract/problem-imports.ts';
import { roleDescriptions, roles, scopePrefix } from '../../contract/roles.ts';
import { capabilities, operations } from '../../contract/routes.ts';

/** The contract as an OpenAPI 3.1 document, for readers and for generators of clients. */
export function openApiDocument() {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  const document: ZodOpenApiObject = {
    openapi: '3.1.1',
    info: {
      title: 'Incident management service',
      version,
      description:
        'Incidents, changes, configuration items, knowledge, webhooks and AI assistance over HTTPS. Requests and ' +
        'responses are JSON, times are ISO 8601 in UTC, errors are RFC 9457 problem details. Every GET operation also supports HEAD.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    // Generated clients use the first address as it stands, so it has no variables. Each instance serves its own.
    servers: apiPrefixes.map((prefix, index) => ({
      url: `${localUrl}/${stageName}${prefix}`,
      description: index === 0 ? 'Current version.' : 'Permanent alias of the current version.',
    })),
    tags: [
      ...Object.entries(capabilities).map(([name, description]) => ({ name, description })),
      { name: deliveryTag, description: 'Requests that receivers of outbound webhooks get.' },
    ],
    paths: buildPaths(),
    webhooks: buildWebhooks(),
    components: {
      // A bulk request validates each record on its own, so its schema only names these.
      schemas: { IncidentImport: incidentImport, ProblemImport: problemImport },
      securitySchemes: { oauth2: buildOAuth2() },
      headers: Object.fromEntries(
        Object.entries({ ...allResponseHeaders, 'Retry-After': retryAfter }).map(([name, spec]) => [
          name,
          buildHeader(spec),
        ]),
      ),
      responses: buildProblemResponses(),
    },
  };
  return createDocument(document, { override: simplify });
}

const localUrl = 'http://localhost:3000';

/** Not a tag of any path: some generators write one file per tag, and the methods of callers would be lost. */
const deliveryTag = 'deliveries';

const allResponseHeaders: Record<string, HeaderSpec> = {
  ...commonResponseHeaders,
  'Cache-Control': { description: 'Responses must not be cached.', example: fixedResponseHeaders['Cache-Control'] },
  'X-Content-Type-Options': {
    description: 'Disables content sniffing in browsers.',
    example: fixedResponseHeaders['X-Content-Type-Options'],
  },
};

export const openApiFile = new URL('../../docs/openapi.json', import.meta.url);

export function openApiText(): string {
  return `${JSON.stringify(openApiDocument(), null, 2)}\n`;
}

/** Leaves out what zod adds to be exact and no reader needs: the pattern behind a format, the bounds of JavaScript. */
function simplify({ zodSchema, jsonSchema: schema }: Parameters<ZodOpenApiOverride>[0]): void {
  // Generators write a class for each union, and such a query parameter is not sent as text.
  if (zodSchema._zod.pattern && schema.anyOf?.every(({ type, format }) => type === 'string' && format)) {
    Object.assign(schema, { type: 'string', pattern: zodSchema._zod.pattern.source });
    delete schema.anyOf;
  }
  // Several generators know only `items`.
  if (schema.prefixItems) {
    Object.assign(schema, {
      items: schema.prefixItems[0],
      minItems: schema.prefixItems.length,
      maxItems: schema.prefixItems.length,
    });
  }
  if (schema.format !== undefined) delete schema.pattern;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}

function buildPaths(): NonNullable<ZodOpenApiObject['paths']> {
  const byPath: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const operation of operations) {
    byPath[operation.path] = {
      ...byPath[operation.path],
      [operation.method.toLowerCase()]: buildOperation(operation),
    };
  }
  return byPath;
}

/** The requests that receivers of outbound webhooks get: path items with an id, because openapi-generator writes methods for inline ones. */
function buildWebhooks(): NonNullable<ZodOpenApiObject['webhooks']> {
  return Object.fromEntries(
    deliveryPayloads.map(({ event, summary, schema, example }) => [
      event,
      {
        id: toDeliveryName(schema),
        post: {
          operationId: toDeliveryName(schema),
          tags: [deliveryTag],
          summary,
          description:
            'Sent to the URL of every active outbound webhook that subscribes to the event. A receiver confirms with any ' +
            '2xx status; the service retries other responses and timeouts.',
          security: [],
          requestParams: { header: deliveryHeaders },
          requestBody: { required: true, content: { 'application/json': { schema, example } } },
          responses: { '204': { description: 'Received.' }, '4XX': { description: 'Not received; retried.' } },
        },
      },
    ]),
  );
}

const toDeliveryName = (schema: z.ZodType) => String(schema.meta()?.id).replace(/Payload$/, 'Delivery');

function buildOperation(operation: Operation): ZodOpenApiOperationObject {
  const { name, capability, summary, description, access, params, query, headers, body, bodyExample } = operation;
  const requestParams = {
    ...(params && { path: params }),
    ...(query && { query }),
    ...(headers && { header: headers }),
  };
  return {
    operationId: name,
    tags: [capability],
    summary,
    description: `${description}\n\n${describeAccess(operation)}`,
    security: access === 'public' ? [] : [{ oauth2: access === 'none' ? [] : [`${scopePrefix}/${access}`] }],
    ...(Object.keys(requestParams).length > 0 && { requestParams }),
    ...(body && {
      requestBody: {
        required: !isOptional(body),
        content: { 'application/json': { schema: body, ...toExample(bodyExample) } },
      },
    }),
    responses: { ...listResponses(operation), ...buildProblemReferences(operation) },
  };
}

function describeAccess({ access }: Operation): string {
  if (access === 'public') return 'Requires no access token.';
  if (access === 'none') return 'Requires any valid access token.';
  return `Requires the role \`${access}\` or higher.`;
}

function listResponses(operation: Operation): Record<`${200 | 201}`, ZodOpenApiResponseObject> {
  return Object.fromEntries(
    Object.entries(operation.responses).map(([status, response]) => [status, answer(response)]),
  ) as Record<`${200 | 201}`, ZodOpenApiResponseObject>;
}

function answer({
  description,
  body,
  contentType = 'application/json',
  headers = {},
  example,
}: ResponseSpec): ZodOpenApiResponseObject {
  const own = Object.entries(headers).map(([name, spec]) => [name, buildHeader(spec)]);
  return {
    description,
    headers: { ...commonHeaderRefs, ...Object.fromEntries(own) },
    ...(body && { content: { [contentType]: { schema: body, ...toExample(example) } } }),
  };
}

/** One response per status. Operations with the same codes share it, so the document stays small. */
function buildProblemReferences(operation: Operation): Record<`${4 | 5}XX`, { $ref: string }> {
  return Object.fromEntries(
    groupCodesByStatus(operation).map(([status, codes]) => [
      status,
      { $ref: `#/components/responses/${codes.join('.')}` },
    ]),
  ) as Record<`${4 | 5}XX`, { $ref: string }>;
}

function buildProblemResponses(): Record<string, ZodOpenApiResponseObject> {
  const groups = operations.flatMap(groupCodesByStatus).map(([, codes]) => codes);
  return Object.fromEntries(groups.map((codes) => [codes.join('.'), buildProblemResponse(codes)]));
}

function groupCodesByStatus(operation: Operation): [string, ErrorCode[]][] {
  const codes = listErrorCodes(operation).sort();
  const statuses = [...new Set(codes.map((code) => errors[code].status))].sort();
  return statuses.map((status) => [String(status), codes.filter((code) => errors[code].status === status)]);
}

/** All codes have the same status. */
function buildProblemResponse(codes: readonly ErrorCode[]): ZodOpenApiResponseObject {
  const status = Math.max(...codes.map((code) => errors[code].status));
  return {
    description: codes.map((code) => `\`${code}\`: ${errors[code].title}.`).join(' '),
    headers: { ...commonHeaderRefs, ...statusHeaders[status] },
    content: {
      [problemContentType]: {
        schema: problem,
        examples: Object.fromEntries(codes.map((code) => [code, { value: buildProblemExample(code) }])),
      },
    },
  };
}

const commonHeaderRefs = Object.fromEntries(
  Object.keys(allResponseHeaders).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
);

const statusHeaders: Readonly<Record<number, ZodOpenApiResponseObject['headers']>> = {
  401: { 'WWW-Authenticate': buildHeader({ description: 'Authentication scheme.', example: 'Bearer' }) },
  429: { 'Retry-After': { $ref: '#/components/headers/Retry-After' } },
  503: { 'Retry-After': { $ref: '#/components/headers/Retry-After' } },
};

function buildProblemExample(code: ErrorCode): unknown {
  const example = toProblem(code, `${errors[code].title}.`, commonResponseHeaders['X-Request-Id'].example);
  if (code !== 'invalid_input') return example;
  return { ...example, errors: [{ field: 'colour', message: 'is not a known parameter' }] };
}

function buildHeader({ description, example }: HeaderSpec) {
  if (/^\d+$/.test(example)) return { description, schema: { type: 'integer' as const }, example: Number(example) };
  return { description, schema: { type: 'string' as const }, example };
}

function toExample(example: unknown): { example?: unknown } {
  return example === undefined ? {} : { example };
}

function buildOAuth2() {
  const scopes = Object.fromEntries(roles.map((role) => [`${scopePrefix}/${role}`, roleDescriptions[role]]));
  return {
    type: 'oauth2' as const,
    description:
      'Access tokens of the user pool, valid for one hour. Programs use the client credentials grant. Users sign in on the ' +
      'hosted login page and get roles from their groups. The URLs are those of a local installation.',
    flows: {
      clientCredentials: { tokenUrl: `${localUrl}/oauth2/token`, scopes },
      authorizationCode: {
        authorizationUrl: `${localUrl}/oauth2/authorize`,
        tokenUrl: `${localUrl}/oauth2/token`,
        refreshUrl: `${localUrl}/oauth2/token`,
        scopes,
      },
    },
  };
}
