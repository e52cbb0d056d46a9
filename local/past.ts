// A system that starts with a past: before the doors of an empty data folder open, its functions are called at moments
// that have gone by. Until that is complete nobody has been promised anything, so what an interrupted start left behind
// is removed and made anew. What follows the streams of its tables begins when the past is complete, which is when the
// records of the streams arrive: a past of many days must not be older than what a stream keeps.
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { realNow } from './clock/shifted-date.ts';
import type { Streams } from './dynamodb/dynamodb.ts';
import type { Functions } from './lambda/functions.ts';
import type { PastCalls } from './lambda/past-calls.ts';
import { replaceFile } from './storage/data-folder.ts';
import { type Storage, storageFiles } from './storage/storage.ts';

export interface Past {
  /** Calls functions, each at a time of its own, several at once. */
  make(tools: PastTools): Promise<void>;
}

export type PastTools = Pick<PastCalls, 'call'>;

/** The past of a data folder, if it has none yet. Called with the folder locked and before its storage is opened. */
export function pastFor(folder: string, past: Past | undefined): Past | undefined {
  if (existsSync(markerOf(folder))) removeStorage(folder);
  const isNew = storageFiles.every((name) => !existsSync(join(folder, name)));
  if (!past || !isNew) return undefined;
  replaceFile(markerOf(folder), 'The first start was interrupted.\n');
  return past;
}

export interface Ground {
  storage: Storage;
  streams: Pick<Streams, 'arriveAt'>;
  functions: Pick<Functions, 'openPast'>;
}

export async function makePast(past: Past, { storage, streams, functions }: Ground, folder: string): Promise<void> {
  streams.arriveAt(realNow());
  const calls = functions.openPast();
  try {
    await storage.flushOnce(() => past.make(calls));
  } finally {
    await calls.end();
    streams.arriveAt(undefined);
  }
  rmSync(markerOf(folder));
}

function markerOf(folder: string): string {
  return join(folder, 'first-start');
}

function removeStorage(folder: string): void {
  for (const name of storageFiles) rmSync(join(folder, name), { force: true });
  rmSync(markerOf(folder));
}
