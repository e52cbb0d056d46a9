import type { Log } from '../platform/log.ts';
import type { LiveReplica } from './live-replica.ts';
import { type SnapshotStore, writeSnapshot } from './snapshot.ts';

export interface SnapshotWriterOptions {
  replica: LiveReplica;
  store: SnapshotStore;
  newId(): string;
  log: Log;
}

/**
 * Writes a snapshot when enough has changed since the last one. What has not been written must be read from the feed by
 * every new instance, so the more records there are, the more changes are worth a new snapshot.
 */
export function snapshotWriter({ replica: live, store, newId, log }: SnapshotWriterOptions): () => Promise<void> {
  // A replica that began with a snapshot counts the changes since that one.
  let written = 0;
  return async () => {
    const replica = await live.caughtUp();
    const { changes, rows, spec } = replica;
    if (changes - written < fewestChanges + rows * changedShare) return;
    const id = newId();
    await writeSnapshot(store, replica, live.watermarks, id);
    log('info', 'snapshot written', { type: spec.type, snapshot: id, rows, changes: changes - written });
    written = changes;
  };
}

/** Reading these again takes a moment only. */
const fewestChanges = 1_000;
const changedShare = 0.01;
