import { createClient } from '../../../client/index.ts';
import { apiRoot, operationTable } from '../../../client/operation-table.ts';
import { apiPrefixes, stageName } from '../../../contract/http.ts';
import { operations } from '../../../contract/routes.ts';

describe('operation table', () => {
  it('says what the contract says (npx tsx bin/generate-client.ts brings it up to date)', () => {
    const fromContract = operations.map(({ name, method, path, headers }) => {
      const names = Object.keys(headers?.shape ?? {});
      return [name, { method, path, ...(names.length > 0 ? { headers: names } : {}) }];
    });
    expect(operationTable).toEqual(Object.fromEntries(fromContract));
    expect(apiRoot).toBe(`/${stageName}${apiPrefixes[0]}`);
  });

  it('gives the client one method per operation', () => {
    const client = createClient({ baseUrl: 'http://localhost', credentials: { token: () => '' } });
    const methods = Object.keys(client).filter((name) => name !== 'rateLimit');
    expect(methods).toEqual(operations.map(({ name }) => name));
  });

  it('tells path parameters and query parameters of an operation apart by name', () => {
    const clashes = operations.flatMap(({ name, params, query }) =>
      Object.keys(query?.shape ?? {})
        .filter((key) => key in (params?.shape ?? {}))
        .map((key) => `${name}.${key}`),
    );
    expect(clashes).toEqual([]);
  });
});
