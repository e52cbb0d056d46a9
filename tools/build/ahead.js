// After `npm ci`: builds what the first start needs, with demo data, so that the start itself is quick. Plain JavaScript, because npm runs
// it on any Node. A build that fails here fails again, and is explained, at the start; it does not undo the installation.
const major = Number(process.versions.node.split('.')[0]);
if (major >= 20) {
  try {
    const { register } = await import('tsx/esm/api');
    register();
    const { pruneInstalled } = await import('./prune-binaries.ts');
    pruneInstalled();
    const { ensureLocalBuild } = await import('./local-build.ts');
    await ensureLocalBuild();
    const { prepareDemoData } = await import('./demo-data.ts');
    await prepareDemoData();
  } catch (error) {
    console.error(`The build failed; npm start will retry it. ${error?.message ?? error}`);
  }
}
