import { readFileSync } from 'node:fs';
import { buildClientFiles } from '../../../bin/client-files.ts';
import { createClient } from '../../../client/index.ts';
import { operationTable } from '../../../client/operation-table.ts';
import { operations } from '../../../contract/routes.ts';

describe('operation table', () => {
  it.each(Object.entries(buildClientFiles()))(
    'agrees with the contract in %s (npm run generate updates it)',
    (file, text) => {
      expect(readFileSync(new URL(`../../../client/${file}`, import.meta.url), 'utf8')).toBe(text);
    },
  );

  it('names a paging scheme for every list', () => {
    // The directory returns one bounded response instead of pages.
    const lists = operations.filter(({ name, path }) => name.startsWith('list') && !path.startsWith('/directory/'));
    expect(lists.length).toBeGreaterThan(15);
    for (const { name } of lists) expect(operationTable).toHaveProperty([name, 'paging']);
    expect(operationTable.listEvents.paging).toBe('sequence');
  });

  it('gives the client one method per operation', () => {
    const client = createClient({ baseUrl: 'http://localhost', credentials: { token: () => '' } });
    const methods = Object.keys(client).filter((name) => name !== 'rateLimit');
    expect(methods).toEqual(operations.map(({ name }) => name));
  });

  it('distinguishes path and query parameters of an operation by name', () => {
    const clashes = operations.flatMap(({ name, params, query }) =>
      Object.keys(query?.shape ?? {})
        .filter((key) => key in (params?.shape ?? {}))
        .map((key) => `${name}.${key}`),
    );
    expect(clashes).toEqual([]);
  });
});
