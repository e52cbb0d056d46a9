import { readFileSync } from 'node:fs';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import * as z from 'zod';
import { errors } from '../../../contract/errors.ts';
import { eventTypes } from '../../../contract/events.ts';
import { defineOperations, listErrorCodes, type Operation } from '../../../contract/operation.ts';
import { capabilities, operations, routes } from '../../../contract/routes.ts';
import { errorPageFile, renderErrorText } from '../../../tools/generate/error-page.ts';
import { openApiDocument, openApiFile, openApiText } from '../../../tools/generate/openapi-document.ts';

describe('routes', () => {
  it.each(Object.entries(routes))('names %s by its key', (key, operation) => {
    expect(operation.name).toBe(key);
    expect(key).toMatch(/^[a-z][a-zA-Z]+$/);
  });

  it('has each method of a path once', () => {
    const addresses = operations.map(({ method, path }) => `${method} ${path}`);
    expect(new Set(addresses).size).toBe(addresses.length);
  });

  it.each(operations)('has a path that the gateway supports for $name', ({ path, params }) => {
    expect(path).toMatch(/^(\/([a-z0-9.-]+|\{[a-z_]+\}))+$/);
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
    expect(Object.keys(params?.shape ?? {}).sort()).toEqual(inPath.sort());
  });

  it('uses one parameter name per path position, as the gateway requires', () => {
    const names = new Map<string, Set<string>>();
    for (const { path } of operations) {
      for (const [match, name] of path.matchAll(/\{(\w+)\}/g)) {
        const place = path.slice(0, path.indexOf(match));
        names.set(place, (names.get(place) ?? new Set()).add(name!));
      }
    }
    expect([...names.values()].every((set) => set.size === 1)).toBe(true);
  });

  // Mail programs add parameters to links.
  const links = ['showAcknowledgement', 'acknowledgeByLink'];

  it.each(operations.filter(({ name }) => !links.includes(name)))(
    'rejects unknown fields and parameters of $name',
    ({ query, body }) => {
      for (const schema of [query, body]) {
        if (schema instanceof z.ZodObject) expect(schema.def.catchall).toBeInstanceOf(z.ZodNever);
      }
    },
  );

  it.each(operations)('has valid examples for $name', ({ responses, body, bodyExample }) => {
    for (const response of Object.values(responses)) {
      if (response.body) expect(response.body.parse(response.example)).toBeDefined();
    }
    if (body) expect(body.parse(bodyExample)).toBeDefined();
  });

  it('belongs to a known capability', () => {
    expect(operations.map(({ capability }) => capability)).toEqual(expect.arrayContaining(Object.keys(capabilities)));
  });
});

describe('listErrorCodes', () => {
  const spec = {
    method: 'POST',
    path: '/things',
    capability: 'things',
    summary: '',
    description: '',
    rateLimit: 'general',
    responses: {},
  } as const;

  const codes = (more: Partial<Operation>) => {
    const { thing } = defineOperations({ thing: { ...spec, access: 'viewer', ...more } });
    return listErrorCodes(thing);
  };

  it('lists the errors of a body', () => {
    expect(codes({ body: z.strictObject({}) })).toEqual(
      expect.arrayContaining(['malformed_json', 'payload_too_large', 'unsupported_media_type', 'invalid_input']),
    );
    expect(codes({})).not.toContain('malformed_json');
  });

  it('omits token and limit errors for public operations', () => {
    expect(codes({ access: 'public' })).toEqual([
      'invalid_input',
      'payload_too_large',
      'internal_error',
      'unavailable',
    ]);
  });

  it('lists a missing role only if a role is required', () => {
    expect(codes({ access: 'none' })).not.toContain('forbidden');
    expect(codes({})).toContain('forbidden');
  });
});

describe('errors', () => {
  it('has a code for every status of the interface', () => {
    const statuses = new Set(Object.values(errors).map(({ status }) => status));
    expect([...statuses].sort()).toEqual([400, 401, 403, 404, 405, 409, 412, 413, 415, 422, 429, 500, 503]);
  });
});

const document = openApiDocument();
const text = openApiText();

describe('the OpenAPI document', () => {
  it('is the one in docs/ (npm run generate updates it)', () => {
    expect(readFileSync(openApiFile, 'utf8')).toBe(text);
  });

  it('has examples of every request and response body, and names for every schema', () => {
    const bodies = operations.flatMap(({ name, responses, body, bodyExample }) => [
      ...Object.values(responses).map((response) => ({
        name,
        missing: response.body && response.example === undefined,
      })),
      { name, missing: body && bodyExample === undefined },
    ]);
    expect(bodies.filter(({ missing }) => missing)).toEqual([]);
    expect(Object.keys(document.components?.schemas ?? {}).filter((name) => !/^[A-Z][A-Za-z]+$/.test(name))).toEqual(
      [],
    );
  });

  it('describes a delivery of every event type', () => {
    expect(Object.keys(document.webhooks ?? {}).sort()).toEqual([...eventTypes, 'ping'].sort());
  });

  // Each rule below is a fault of a client that openapi-generator wrote for Python or Go; `npm run test:clients` compiles both.
  it('keeps deliveries out of generated clients: no inline path item, no tag of a path', () => {
    const deliveries = Object.values(document.components?.pathItems ?? {}).map(
      (item) => (item as { post: { tags?: string[] } }).post,
    );
    expect(deliveries).toHaveLength(eventTypes.length + 1);
    for (const item of Object.values(document.webhooks ?? {})) expect(Object.keys(item)).toEqual(['$ref']);
    expect(deliveries.flatMap(({ tags = [] }) => tags).filter((tag) => tag in capabilities)).toEqual([]);
  });

  it('has no name that Go gives to the constructor of another schema, and none that differs in case only', () => {
    const names = Object.keys(document.components?.schemas ?? {});
    expect(names.filter((name) => names.includes(name.replace(/^New/, '')) && name.startsWith('New'))).toEqual([]);
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length);
  });

  it('has only schemas that generators write as one type', () => {
    const schemas = listSchemas(document, '#');
    const faults = schemas.filter(
      ([place, schema]) =>
        // Generators compare a boolean constant with its text.
        typeof schema.const === 'boolean' ||
        // Go writes the pattern into a struct tag, which ends at a quotation mark.
        (place.startsWith('#/components/schemas') && schema.pattern?.includes('"')) ||
        // Structure beside a reference is a second schema, without the types of the first.
        (schema.$ref &&
          Object.keys(schema).some((key) => !['$ref', 'description', 'examples', 'default'].includes(key))),
    );
    expect(faults).toEqual([]);
  });

  it('has no parameter that is a union, which clients could not send as text', () => {
    const parameters = listSchemas(document.paths, '#/paths').filter(([place]) =>
      /\/parameters\/\d+\/schema$/.test(place),
    );
    expect(parameters.length).toBeGreaterThan(200);
    const schemas = (document.components?.schemas ?? {}) as Record<string, AnySchema>;
    const resolve = (schema: AnySchema) => schemas[schema.$ref?.replace(/^.*\//, '') ?? ''] ?? schema;
    expect(parameters.filter(([, schema]) => resolve(schema).anyOf ?? resolve(schema).oneOf)).toEqual([]);
  });

  it('has a section of docs/errors.md for every error code (npm run generate updates it)', () => {
    expect(readFileSync(errorPageFile, 'utf8')).toBe(renderErrorText());
  });

  it('satisfies the linter’s strictest rules', async () => {
    // A self-hosted service has no public address: the document in the repository names the one of `npm start`.
    const rules = { 'no-server-example.com': 'off' } as const;
    const config = await createConfig({ extends: ['recommended-strict'], rules });
    const problems = await lintFromString({ source: text, absoluteRef: 'openapi.json', config });
    expect(problems.map(({ ruleId, message, location }) => ({ ruleId, message, at: location[0]?.pointer }))).toEqual(
      [],
    );
  });

  it.each(operations)('describes $name with its access and its errors', ({ name, method, path, access }) => {
    const operation = document.paths?.[path]?.[method.toLowerCase() as 'get'];
    expect(operation).toMatchObject({
      operationId: name,
      security: access === 'public' ? [] : [{ oauth2: expect.any(Array) }],
    });
    expect(Object.keys(operation?.responses ?? {})).toEqual(
      expect.arrayContaining(access === 'public' ? ['500', '503'] : ['401', '429', '500', '503']),
    );
  });
});

interface AnySchema {
  $ref?: string;
  const?: unknown;
  pattern?: string;
  anyOf?: unknown[];
  oneOf?: unknown[];
}

/** Every object below a part of the document with its place, except examples. */
function listSchemas(part: unknown, place: string): [string, AnySchema][] {
  if (typeof part !== 'object' || part === null) return [];
  const below = Object.entries(part).filter(([key]) => !/^examples?$/.test(key));
  return [[place, part], ...below.flatMap(([key, value]) => listSchemas(value, `${place}/${key}`))];
}
