// Seeds an empty data folder before the server accepts requests, by calling functions at past times. After an
// interruption, the data is removed and seeded again. Stream records get the real time as arrival time, because the seed
// data covers many days and would exceed the retention of the streams.
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { systemNow } from './clock/shifted-date.ts';
import type { Streams } from './dynamodb/dynamodb.ts';
import type { Functions } from './lambda/functions.ts';
import type { SeedCalls } from './lambda/seed-calls.ts';
import { replaceFile, storageFiles } from './storage/data-folder.ts';
import type { Storage } from './storage/storage.ts';

export interface Seed {
  /** Calls functions concurrently, each at its own time. */
  apply(tools: SeedTools): Promise<void>;
}

export interface SeedTools extends Pick<SeedCalls, 'call'> {
  /** Calls an AWS service as the operator. */
  callAws(service: string, operation: string, input: unknown): Promise<unknown>;
  /** Outputs of the stack. */
  outputs: Readonly<Record<string, string>>;
  /** The URL of the public server on this machine. */
  loopbackUrl: string;
}

/** Returns the seed if the data folder is empty. The folder must be locked and its storage not yet open. */
export function findPendingSeed(folder: string, seed: Seed | undefined): Seed | undefined {
  if (existsSync(getMarkerPath(folder))) removeStorage(folder);
  const isNew = storageFiles.every((name) => !existsSync(join(folder, name)));
  if (!seed || !isNew) return undefined;
  replaceFile(getMarkerPath(folder), 'The first start was interrupted.\n');
  return seed;
}

export interface SeedDependencies {
  storage: Storage;
  streams: Pick<Streams, 'arriveAt'>;
  functions: Pick<Functions, 'openSeedCalls'>;
  loopbackUrl: string;
  callAws: SeedTools['callAws'];
  /** Outputs of the stack. */
  outputs: Readonly<Record<string, string>>;
}

export async function applySeed(
  seed: Seed,
  { storage, streams, functions, ...tools }: SeedDependencies,
  folder: string,
): Promise<void> {
  streams.arriveAt(systemNow());
  const calls = functions.openSeedCalls();
  try {
    await storage.flushOnce(() => seed.apply({ call: calls.call, ...tools }));
  } finally {
    await calls.end();
    streams.arriveAt(undefined);
  }
  rmSync(getMarkerPath(folder));
}

function getMarkerPath(folder: string): string {
  return join(folder, 'first-start');
}

function removeStorage(folder: string): void {
  for (const name of storageFiles) rmSync(join(folder, name), { force: true });
  rmSync(getMarkerPath(folder));
}
