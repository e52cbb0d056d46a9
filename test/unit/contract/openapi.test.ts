import { readFileSync } from 'node:fs';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { openApiDocument, openApiFile, openApiText } from '../../../bin/openapi-document.ts';
import { operations } from '../../../contract/routes.ts';

const document = openApiDocument();
const text = openApiText();

describe('the OpenAPI document', () => {
  it('is the one in docs/ (npm run openapi writes it anew)', () => {
    expect(readFileSync(openApiFile, 'utf8')).toBe(text);
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
    expect(Object.keys(operation?.responses ?? {})).toEqual(expect.arrayContaining(['401', '429', '500', '503']));
  });
});
