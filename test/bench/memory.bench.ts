import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ensureLocalBuild } from '../../tools/build/local-build.ts';
import { startService } from '../support/service.ts';
import { createTokens } from './callers.ts';
import { measureResidentMb } from './every-operation.ts';
import { load, type Shot } from './load.ts';
import { vocabulary } from './many-incidents.ts';

const callers = 30;
const concurrency = 16;
const incidents = 20_000;
const steps = 5;
const settleMs = 3_000;

/** Resident memory while many requests of all frequent kinds arrive, and the size of the data folder. */
export async function benchMemory(requests = 100_000): Promise<void> {
  await ensureLocalBuild();
  const service = await startService();
  try {
    await pause(settleMs);
    console.log(`\nResident memory of the server\n  ${measureResidentMb(service)} MB  idle`);
    const tokens = await createTokens(service, callers, 'itsm_agent');
    const ids: string[] = [];
    const shot = (path: string, index: number, more: Partial<Shot> = {}): Shot => ({
      url: `${service.baseUrl}/prod/api/v1${path}`,
      headers: { authorization: `Bearer ${tokens[index % tokens.length]}`, 'content-type': 'application/json' },
      ...more,
    });
    const create = (index: number) =>
      shot('/incidents', index, {
        method: 'POST',
        body: JSON.stringify(describe(index)),
        onBody: (text) => ids.push(JSON.parse(text).id),
      });
    await load(create, { concurrency, requests: incidents });
    console.log(`  ${measureResidentMb(service)} MB  after ${incidents} incidents`);
    console.log(`  ${measureFolderMb(service.dataFolder)} MB  on disk`);
    // What a team with the console open does: mostly lists, records and counts, and some changes.
    const kinds: ((index: number, id: string) => Shot)[] = [
      (index) => shot('/incidents?priority=P1,P2&limit=25', index),
      (index, id) => shot(`/incidents/${id}`, index),
      (index, id) => shot(`/incidents/${id}/history`, index),
      (index) => shot(`/incidents?q=${vocabulary[index % 400]}&limit=25`, index),
      (index) => shot('/incidents/statistics', index),
      (index) => shot('/notifications', index),
      (index, id) =>
        shot(`/incidents/${id}`, index, { method: 'PATCH', body: JSON.stringify({ subcategory: `s${index}` }) }),
      (index, id) => shot(`/incidents/${id}/notes`, index),
    ];
    for (let step = 1; step <= steps; step++) {
      const { statuses } = await load((index) => kinds[index % kinds.length]!(index, ids[(index * 31) % ids.length]!), {
        concurrency,
        requests: requests / steps,
      });
      const done = (step * requests) / steps;
      console.log(`  ${measureResidentMb(service)} MB  after ${done} requests ${JSON.stringify(statuses)}`);
    }
    console.log(`  ${measureFolderMb(service.dataFolder)} MB  on disk`);
  } finally {
    await service.stop();
  }
}

/** About 650 characters, like the descriptions that people write. */
function describe(index: number): object {
  const words = Array.from(
    { length: 95 },
    (_, word) => vocabulary[(index * 97 + word * word * 13) % vocabulary.length],
  );
  return {
    short_description: `${words[0]} fails in ${words[1]} ${index}`,
    description: words.join(' '),
    priority: 'P3',
  };
}

function measureFolderMb(folder: string): number {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Math.round(
    entries.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0) / 1e6,
  );
}
