import { readFileSync } from 'node:fs';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { errorPageFile, renderErrorText } from '../../../bin/error-page.ts';
import { openApiDocument, openApiFile, openApiText } from '../../../bin/openapi-document.ts';
import { eventTypes } from '../../../contract/events.ts';
import { operations } from '../../../contract/routes.ts';

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
