// Writes the generated files of client/. They contain what the client needs at run time, so that bundles of its users
// contain neither the schemas nor zod. A unit test fails when they are stale.
import { writeFileSync } from 'node:fs';
import { buildClientFiles } from './client-files.ts';

for (const [path, text] of Object.entries(buildClientFiles())) {
  writeFileSync(new URL(`../../client/${path}`, import.meta.url), text);
}
