// The indexes of OpenSearch, for `npm start -- --search` and `npm run reindex`.
import { setTimeout as pause } from 'node:timers/promises';
import { SFNClient } from '@aws-sdk/client-sfn';
import { indexKinds } from '../lambdas/list-index/index-kinds.ts';
import {
  findReindexMachine,
  findRunningReindexing,
  readReindexing,
  startReindexing,
} from '../lambdas/list-index/reindex-machine.ts';
import { findUnusableIndexes } from '../lambdas/lists/search-documents.ts';
import { connectSearch } from '../lambdas/platform/clients/opensearch.ts';
import { UsageError } from './server/settings.ts';

interface Server {
  awsUrl: string;
  operatorKey: { accessKeyId: string; secretAccessKey: string };
}

/**
 * Rejects an engine that lists cannot use. Returns the building of indexes that are missing or of another release, which
 * needs the running service.
 */
export async function prepareIndexes(url: string, instance: string): Promise<(server: Server) => Promise<void>> {
  const types = await findUnusableIndexes(connectSearch(url, instance), indexKinds);
  return async ({ awsUrl, operatorKey }) => {
    if (types.length === 0) return;
    const client = new SFNClient({ endpoint: awsUrl, region: 'us-east-1', credentials: operatorKey });
    await reindex(client, instance, types, () => {});
    client.destroy();
  };
}

export const indexedTypes: readonly string[] = indexKinds.map(({ type }) => type);

const pollMs = 500;

/** Longer than the state machine retries. */
const maxWaitMs = 4 * 24 * 60 * 60_000;

/** Starts a rebuild, or finds the one that runs, and waits for its end. */
export async function reindex(
  client: SFNClient,
  instance: string,
  types: readonly string[],
  report: (line: string) => void,
): Promise<void> {
  const machine = await findReindexMachine(client, instance);
  if (!machine)
    throw new UsageError(
      `There is no state machine ${instance}-reindex: the instance has another name, or does not use OpenSearch.`,
    );
  const running = await findRunningReindexing(client, machine);
  if (running) report('A rebuild is already running. This program waits for its end.');
  const execution = running ?? (await startReindexing(client, machine, types, Date.now()));
  const endMs = performance.now() + maxWaitMs;
  while (performance.now() < endMs) {
    const result = await readReindexing(client, execution);
    if (result && 'problem' in result) throw new UsageError(`The rebuild failed. ${result.problem}`);
    for (const [index, count] of Object.entries(result?.counts ?? {})) report(`${index}: ${count} records`);
    if (result) return;
    await pause(pollMs);
  }
  throw new UsageError(`The execution ${execution} has not ended. Lists use the former indexes.`);
}
