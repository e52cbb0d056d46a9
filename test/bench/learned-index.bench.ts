import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ListBucketsCommand, S3Client } from '@aws-sdk/client-s3';
import { listDemoTexts } from '../../demo/articles.ts';
import { packVector, type Vector } from '../../lambdas/ai/embedding/vector.ts';
import { searchIncidents } from '../../lambdas/ai/knowledge/incident-search.ts';
import { LearnedIndex } from '../../lambdas/ai/knowledge/learned-index.ts';
import { encodeLearned } from '../../lambdas/ai/knowledge/learned-item.ts';
import { learnedSnapshotKind } from '../../lambdas/ai/knowledge/live-index.ts';
import { countTerms } from '../../lambdas/ai/knowledge/terms.ts';
import { toIncidentText } from '../../lambdas/ai/learning/subject.ts';
import { createSnapshotStore, writeSnapshot } from '../../lambdas/lists/snapshot-store.ts';
import { feedShards } from '../../lambdas/records/record-item.ts';
import { ensureLocalBuild, stackName } from '../../tools/build/local-build.ts';
import { evaluationEncoder } from '../eval/ground.ts';
import { getToken } from '../support/http.ts';
import { manyQuestions } from '../support/many-questions.ts';
import type { Service } from '../support/service.ts';
import { measureCpuMs, measureResidentMb } from './every-operation.ts';
import { measureTime, withService } from './lists.bench.ts';
import { benchIncidentType, createIncidents, vocabulary } from './many-incidents.ts';
import { toItems } from './record-items.ts';
import { seed } from './seed.ts';

const defaultCount = 100_000;
const searches = 30;
/** More than a response shows, because the service looks for a few more. */
const found = 15;

interface Search {
  text: string;
  vector: Vector;
}

/**
 * Look-alikes of many resolved incidents: the search itself, and the first and later responses of a new instance that
 * starts from a snapshot. The index is built here and written as a snapshot, because learning 100,000 incidents takes too
 * long. Only the incidents that the searches find exist in the table.
 */
export async function benchLearnedIndex(count = defaultCount): Promise<void> {
  await ensureLocalBuild();
  const index = new LearnedIndex();
  await measureTime(`index of ${count} incidents built`, async () => {
    for (const { id, listing } of learnedIncidents(count)) index.apply(id, 1, listing);
  });
  const embed = (await evaluationEncoder()).embed;
  const queries: Search[] = [];
  for (const [place, words] of listDemoTexts().slice(0, searches).entries()) {
    // Some words that incidents have, and some that none has.
    const text = `${vocabulary[place]} ${vocabulary[place * 100]} ${words}`;
    queries.push({ text, vector: await embed(text) });
  }
  const ids = new Set(benchSearch(index, queries));
  const dataFolder = mkdtempSync(join(tmpdir(), 'learned-'));
  try {
    const records = [...createIncidents(count)]
      .filter(({ id }) => ids.has(id))
      .map((record) => {
        const document = { ...record.document, state: 'closed', resolved_at: record.updated_at } as const;
        return { ...record, document };
      });
    await seed(dataFolder, stackName, toItems(benchIncidentType, records));
    await withService(dataFolder, async (service) => {
      await measureTime('snapshot written', () => storeSnapshot(service, index));
      await measure(service, queries);
    });
  } finally {
    rmSync(dataFolder, { recursive: true, force: true });
  }
}

/** Returns the ids of all incidents found. */
function benchSearch(index: LearnedIndex, queries: readonly Search[]): string[] {
  const ids: string[] = [];
  const times = queries.map(({ vector, text }) => {
    const startedAtMs = performance.now();
    const results = searchIncidents(index.incidents, { vector, text, count: found, accepts: ({ open }) => !open });
    const durationMs = performance.now() - startedAtMs;
    ids.push(...results.map(({ id }) => id));
    return durationMs;
  });
  const scans = queries.map(({ vector }) => {
    const startedAtMs = performance.now();
    index.incidents.cosines(vector);
    return performance.now() - startedAtMs;
  });
  console.log(`search: p50 ${percentile(times, 0.5)} ms, p95 ${percentile(times, 0.95)} ms`);
  console.log(`scan of all vectors, a part of it: p50 ${percentile(scans, 0.5)} ms (goal: 20 ms)`);
  return ids;
}

async function storeSnapshot({ awsUrl, awsCredentials }: Service, index: LearnedIndex): Promise<void> {
  const client = new S3Client({
    endpoint: awsUrl,
    region: 'us-east-1',
    credentials: awsCredentials,
    forcePathStyle: true,
  });
  const { Buckets = [] } = await client.send(new ListBucketsCommand({}));
  const bucket = Buckets.map(({ Name = '' }) => Name).find((name) => /snapshots/i.test(name));
  if (bucket === undefined) throw new Error('the service has no bucket of snapshots');
  const content = { rows: index.size, details: () => null, chunks: index.encode() };
  const watermarks = Array.from({ length: feedShards }, () => '');
  await writeSnapshot(createSnapshotStore(client, bucket), learnedSnapshotKind, content, watermarks, 'bench');
  client.destroy();
}

async function measure(service: Service, queries: readonly Search[]): Promise<void> {
  const token = await getToken(service, 'viewer');
  const idleMb = measureResidentMb(service);
  const times: { wallMs: number; cpuMs: number }[] = [];
  for (const { text } of queries) {
    const from = { wallMs: performance.now(), cpuMs: measureCpuMs(service) };
    const response = await fetch(`${service.baseUrl}/prod/api/v1/ai/exemplars`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ description: text }),
    });
    const body = (await response.json()) as { count?: number };
    if (!body.count) throw new Error(`no look-alikes in a response with status ${response.status}`);
    times.push({ wallMs: performance.now() - from.wallMs, cpuMs: measureCpuMs(service) - from.cpuMs });
  }
  const [first = { wallMs: 0, cpuMs: 0 }, ...later] = times;
  const p50 = percentile(
    later.map(({ wallMs }) => wallMs),
    0.5,
  );
  console.log(
    `first response with a snapshot: ${first.wallMs.toFixed(0)} ms, of it ${first.cpuMs} ms of processor time (goal: 3,000 ms)`,
  );
  console.log(`later responses: p50 ${p50} ms`);
  console.log(
    `resident memory of the whole server: ${idleMb} MB before, ${measureResidentMb(service)} MB after (goal: 1,000 MB)`,
  );
}

function* learnedIncidents(count: number) {
  const { aQuestion } = manyQuestions(17);
  for (const { document, id } of createIncidents(count)) {
    const facts = {
      kind: 'incident',
      title: document.short_description,
      open: false,
      category: document.category,
      subcategory: null,
      priority: document.priority,
      assignment_group: document.assignment_group,
      problem: null,
      minutes: 30,
      has_resolution: true,
    } as const;
    const terms = countTerms(toIncidentText(document));
    const units = [{ level: 'record', passage: 0, vector: packVector(aQuestion()), terms }] as const;
    yield { id, listing: encodeLearned({ facts, units }) };
  }
}

function percentile(values: readonly number[], share: number): string {
  const sorted = [...values].sort((a, b) => a - b);
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1);
}
