// `npm run backup -- <folder>`: copies the data folder (DATA_DIR) of a server that runs or is stopped.
import { join } from 'node:path';
import { backUp } from '../local/storage/backup.ts';
import { root } from '../tools/build/local-build.ts';
import { runTool, UsageError } from './tool.ts';

const usage = 'Usage: npm run backup -- <new folder>. DATA_DIR says which data folder (.data unless set).';

await runTool(async (args) => {
  const [target, ...others] = args;
  if (!target || target.startsWith('-') || others.length > 0) throw new UsageError(usage);
  const { files } = await backUp(process.env.DATA_DIR ?? join(root, '.data'), target);
  const bytes = Object.values(files).reduce((sum, file) => sum + file.bytes, 0);
  console.log(`Backed up ${Object.keys(files).length} files, ${(bytes / 1e6).toFixed(1)} MB, to ${target}.`);
});
