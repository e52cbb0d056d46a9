// Writes client/operation-table.ts. The client needs three facts of each operation at run time; a module of their own
// keeps the schemas, and zod with them, out of the bundles of those who use it. A unit test fails when it is stale.
import { writeFileSync } from 'node:fs';
import { apiPrefixes, stageName } from '../contract/http.ts';
import type { Operation } from '../contract/operation.ts';
import { operations } from '../contract/routes.ts';

const widestLine = 120;

writeFileSync(
  new URL('../client/operation-table.ts', import.meta.url),
  `import type { routes } from '../contract/routes.ts';
import type { OperationTable } from './call-types.ts';

// Generated from the contract by bin/generate-client.ts.

export const apiRoot = '/${stageName}${apiPrefixes[0]}';

export const operationTable = {
${operations.map(entry).join('\n')}
} as const satisfies OperationTable<typeof routes>;
`,
);

/** On one line where it fits, as the formatter would have it. */
function entry({ name, method, path, headers }: Operation): string {
  const names = Object.keys(headers?.shape ?? {}).map((header) => `'${header}'`);
  const facts = [`method: '${method}'`, `path: '${path}'`];
  if (names.length > 0) facts.push(`headers: [${names.join(', ')}]`);
  const line = `  ${name}: { ${facts.join(', ')} },`;
  return line.length <= widestLine ? line : `  ${name}: {\n${facts.map((fact) => `    ${fact},\n`).join('')}  },`;
}
