// `npm run restore -- <folder> [--replace]`: restores a backup to the data folder (DATA_DIR).
import { join } from 'node:path';
import { restore } from '../local/storage/backup.ts';
import { root } from '../tools/build/local-build.ts';
import { runTool, UsageError } from './tool.ts';

const usage = 'Usage: npm run restore -- <backup> [--replace]. DATA_DIR says which data folder (.data unless set).';

await runTool(async (args) => {
  const [backup, ...others] = args.filter((arg) => arg !== '--replace');
  if (!backup || backup.startsWith('-') || others.length > 0) throw new UsageError(usage);
  const dataFolder = process.env.DATA_DIR ?? join(root, '.data');
  const { manifest, replaced } = await restore(backup, dataFolder, { replace: args.includes('--replace') });
  if (replaced) console.log(`The previous data was moved to ${replaced}.`);
  console.log(`Restored the backup of ${manifest.created_at} to ${dataFolder}. Start the server with npm start.`);
});
