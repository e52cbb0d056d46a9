// npm run stateful: records the stateful resources of a release in stateful-resources.json. Run it when the version changes.
import { readFileSync, writeFileSync } from 'node:fs';
import { prod } from './stack.ts';
import { describeStateful, listExports } from './stateful-resources.ts';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
const record = { release: version, resources: describeStateful(prod), exports: listExports(prod) };
writeFileSync(new URL('stateful-resources.json', import.meta.url), `${JSON.stringify(record, null, 2)}\n`);
