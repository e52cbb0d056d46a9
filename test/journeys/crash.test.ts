// Seeded rounds: many clients write, a fault hits at a random moment, the server is killed and started again, and
// everything it acknowledged is there. More rounds, or the seed of a failure: npm run test:crash -- --rounds 200 --seed …
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expectEveryChange, readCommitted, readFeed, readHistory, waitOutRateLimit } from '../support/committed.ts';
import { type Api, getApi } from '../support/incidents.ts';
import { waitForJob } from '../support/jobs.ts';
import { type Random, random } from '../support/random.ts';
import { type Service, startService } from '../support/service.ts';
import { mountSmallDisk } from '../support/small-disk.ts';

const rounds = Number(process.env.CRASH_ROUNDS ?? 2);
const seed = Number(process.env.CRASH_SEED ?? Date.now() % 1_000_000);
const dice = random(seed);

const writersPerClient = 3;
const maxWritingMs = 1_200;
const diskMegabytes = 1_024;
const description = 'x'.repeat(3_000);

interface Acknowledged {
  /** The highest version of each incident that was answered. */
  versions: Map<string, number>;
  notes: { id: string; incident: string }[];
  jobs: { id: string; records: number }[];
}

let service: Service;
const disk = mountSmallDisk(diskMegabytes);

afterAll(async () => {
  await service?.stop();
  disk?.remove();
});

describe(`${rounds} crashes with the seed ${seed}`, () => {
  it(
    'lose no acknowledged write, leave no gap in the events, and keep every history complete',
    async () => {
      service = await startService(newFolder());
      const jobs: Acknowledged['jobs'] = [];
      for (let round = 0; round < rounds; round++) {
        const acknowledged: Acknowledged = { versions: new Map(), notes: [], jobs: [] };
        const fault = await crash(acknowledged);
        service = await startService({ dataFolder: service.dataFolder });
        const { versions, notes } = acknowledged;
        process.stderr.write(`round ${round + 1}: ${fault}, ${versions.size} incidents, ${notes.length} notes\n`);
        await expectKept(await getApi(service, 'manager'), acknowledged);
        jobs.push(...acknowledged.jobs);
      }
      // Messages in flight come back.
      await service.advance('30m', []);
      const manager = await getApi(service, 'manager');
      for (const { id, records } of jobs) {
        const job = await waitOutRateLimit(() => manager.get(`/jobs/${id}`));
        const { succeeded } = job.body.finished_at ? job.body : await waitForJob(service, manager, id);
        expect(succeeded).toBe(records);
      }
      expectEveryChange(await readFeed(manager), await readCommitted(manager));
    },
    120_000 + rounds * 30_000,
  );
});

function newFolder(): { dataFolder?: string } {
  if (!disk || !process.env.STARTED_DATA) return {};
  const dataFolder = join(disk.folder, 'data');
  cpSync(process.env.STARTED_DATA, dataFolder, { recursive: true });
  return { dataFolder };
}

/** One round of writes, a fault in the middle, and kill -9 a little later. Says which fault it was. */
async function crash(acknowledged: Acknowledged): Promise<string> {
  const writing = new AbortController();
  const clients = await Promise.all((['agent', 'manager', 'admin'] as const).map((name) => getApi(service, name)));
  const work = clients.flatMap((api) =>
    Array.from({ length: writersPerClient }, () => write(api, acknowledged, writing.signal)),
  );
  // Most rounds begin when the functions are warm, or little would be written.
  const isCold = () => acknowledged.versions.size === 0 || acknowledged.notes.length === 0;
  const maxWaits = dice.next() < 0.8 ? 300 : 20;
  for (let waits = 0; isCold() && waits < maxWaits; waits++) await pause(50);
  await pause(dice.below(maxWritingMs));
  const { name, hit, mend } = dice.pick(faults);
  await hit();
  await pause(dice.below(maxWritingMs));
  if (name === 'stop') await service.end();
  else await service.kill();
  writing.abort();
  await Promise.all(work);
  mend();
  return name;
}

interface CrashFault {
  name: string;
  hit(): Promise<void>;
  mend(): void;
}

const nothing = () => {};
const faults: CrashFault[] = [
  { name: 'kill -9', hit: async () => {}, mend: nothing },
  { name: 'stop', hit: async () => {}, mend: nothing },
  ...['statement', 'commit', 'flush', 'object'].flatMap((at) =>
    ['ENOSPC', 'EIO'].map((error) => ({ name: `${error} at ${at}`, hit: () => setFault(at, error), mend: nothing })),
  ),
  ...(disk ? [{ name: 'full disk', hit: async () => disk.fill(), mend: () => disk.resize(diskMegabytes) }] : []),
];

async function setFault(at: string, error: string): Promise<void> {
  const times = dice.next() < 0.5 ? {} : { times: 1 + dice.below(20) };
  const body = JSON.stringify({ service: 'storage', at, error, after: dice.below(30), ...times });
  const headers = { 'content-type': 'application/json' };
  const { status } = await fetch(`${service.baseUrl}/_local/faults`, { method: 'POST', headers, body });
  expect(status).toBe(200);
}

/** One request after the other until the server is gone. */
async function write(api: Api, acknowledged: Acknowledged, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    let status: number;
    try {
      status = await writeOnce(api, acknowledged, dice);
    } catch {
      // The server is gone, or about to be.
      await pause(5);
      continue;
    }
    expect([200, 201, 202, 409, 412, 422, 429, 503]).toContain(status);
    if (status === 429 || status === 503) await pause(20);
  }
}

const priorities = ['P1', 'P2', 'P3', 'P4'];

async function writeOnce(api: Api, { versions, notes, jobs }: Acknowledged, { pick, next }: Random): Promise<number> {
  const kind = next();
  const known = [...versions.keys()];
  const fields = { short_description: 'A write among many', description, priority: pick(priorities) };
  if (known.length < 3 || kind < 0.35) {
    const { status, body } = await api.post('/incidents', fields);
    if (status === 201) versions.set(body.id, body.version);
    return status;
  }
  const id = pick(known);
  if (kind < 0.65) {
    const { status, body } = await api.patch(`/incidents/${id}`, {
      priority: fields.priority,
      category: pick(['a', 'b']),
    });
    if (status === 200) versions.set(id, Math.max(body.version, versions.get(id)!));
    return status;
  }
  if (kind < 0.97) {
    const { status, body } = await api.post(`/incidents/${id}/notes`, {
      body: `A note with ${priorities.length} words.`,
    });
    if (status === 201) notes.push({ id: body.id, incident: id });
    return status;
  }
  const records = Array.from({ length: 5 }, () => fields);
  const { status, body } = await api.post('/incidents/bulk', { operation: 'create', records });
  if (status === 202) jobs.push({ id: body.job_id, records: records.length });
  return status;
}

async function expectKept(api: Api, { versions, notes }: Acknowledged): Promise<void> {
  const lost: string[] = [];
  for (const [id, version] of versions) {
    const entries = await readHistory(api, id);
    if ((entries?.length ?? 0) < version) lost.push(`${id} version ${version}`);
  }
  for (const id of new Set(notes.map(({ incident }) => incident))) {
    const { body } = await waitOutRateLimit(() => api.get(`/incidents/${id}/notes?limit=200`));
    const found = new Set(body.data?.map((note: { id: string }) => note.id));
    for (const note of notes) if (note.incident === id && !found.has(note.id)) lost.push(`${id} note ${note.id}`);
  }
  expect(lost).toEqual([]);
}
