// Writes the generated files of client/ and python/. They contain what the clients need at run time, so that bundles of
// their users contain neither the schemas nor zod. A unit test fails when they are stale.
import { writeFileSync } from 'node:fs';
import { buildClientFiles } from './client-files.ts';
import { buildPythonFiles } from './python-files.ts';

for (const [path, text] of Object.entries(buildClientFiles())) {
  writeFileSync(new URL(`../../client/${path}`, import.meta.url), text);
}
for (const [path, text] of Object.entries(buildPythonFiles())) {
  writeFileSync(new URL(`../../python/incident_service/${path}`, import.meta.url), text);
}
