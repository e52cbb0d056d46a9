// `npm start`. Plain JavaScript, so that even a Node that is too old can say so in one line.
import { existsSync } from 'node:fs';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Node.js 20.19 or newer is required; this is ${process.versions.node}.`);
  process.exit(1);
}
// Lambda's clock is UTC, and a worker thread takes its time zone from the process.
process.env.TZ = 'UTC';
// Prefer the bundle, which rebuilds itself when a source changes.
const bundle = new URL('../dist/server/serve.mjs', import.meta.url);
if (existsSync(bundle)) {
  await import(bundle.href);
} else {
  const { register } = await import('tsx/esm/api');
  register();
  await import('./server/serve.ts');
}
