// Checks the structure of the whole database in a thread of its own, because SQLite would block the server meanwhile. After
// a clean stop a start checks nothing, so this finds damaged pages before a request does (docs/decisions/0006).
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';

const source = `
  const { parentPort, workerData } = require('node:worker_threads');
  const Database = require(workerData.library);
  const database = new Database(workerData.path, { readonly: true });
  try {
    parentPort.postMessage(database.pragma('quick_check(1)')[0].quick_check);
  } catch (error) {
    parentPort.postMessage(error.message);
  }
  database.close();
`;

/** Returns the first damage, or undefined. */
export async function findDamage(path: string): Promise<string | undefined> {
  const library = createRequire(import.meta.url).resolve('libsql');
  const worker = new Worker(source, { eval: true, workerData: { path, library }, execArgv: [] });
  worker.unref();
  const result = await new Promise<string>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('the check stopped early')));
  });
  return result === 'ok' ? undefined : result;
}
