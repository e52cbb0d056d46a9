// `npm start`. Plain JavaScript, so that even a Node that is too old can say so in one line.
const major = Number(process.versions.node.split('.')[0]);
if (major < 20) {
  console.error(`Node 20 or newer is needed; this is ${process.versions.node}.`);
  process.exit(1);
}
const { register } = await import('tsx/esm/api');
register();
await import('./serve.ts');
