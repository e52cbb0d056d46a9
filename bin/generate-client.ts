// Writes client/operation-table.ts and client/api-types.ts. The client needs a few facts of each operation at run time; a
// module of their own keeps the schemas, and zod with them, out of the bundles of its users. A unit test fails when they
// are stale.
import { writeFileSync } from 'node:fs';
import { buildClientFiles } from './client-files.ts';

for (const [path, text] of Object.entries(buildClientFiles())) {
  writeFileSync(new URL(`../client/${path}`, import.meta.url), text);
}
