import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureLocalBuild, stackName } from '../../bin/local-build.ts';
import { embedderName } from '../../lambdas/ai/embedding/model-files.ts';
import { packed } from '../../lambdas/ai/embedding/vector.ts';
import { LearnedIndex } from '../../lambdas/ai/knowledge/learned-index.ts';
import { encodeLearned } from '../../lambdas/ai/knowledge/learned-item.ts';
import { countTerms } from '../../lambdas/ai/knowledge/terms.ts';
import { learnedType } from '../../lambdas/ai/learning/learned-store.ts';
import { toIncidentText } from '../../lambdas/ai/learning/subject.ts';
import { toFeedKeys } from '../../lambdas/records/record-item.ts';
import { getToken } from '../support/http.ts';
import { manyQuestions } from '../support/many-questions.ts';
import type { Service } from '../support/service.ts';
import { residentMb } from './every-operation.ts';
import { newLine, timed, withService } from './lists.bench.ts';
import { benchIncidentType, manyIncidents } from './many-incidents.ts';
import { itemsOf } from './record-items.ts';
import { seed } from './seed.ts';

const defaultCount = 100_000;
const searches = 30;
const maxAttempts = 20;

/** Look-alikes of many resolved incidents: the search itself, and the first and later requests of a new instance. */
export async function benchLearnedIndex(count = defaultCount): Promise<void> {
  benchSearch(count);
  await ensureLocalBuild();
  const dataFolder = mkdtempSync(join(tmpdir(), 'learned-'));
  try {
    await seed(dataFolder, stackName, itemsOf(benchIncidentType, manyIncidents(count)));
    await timed(`${count} learned incidents written`, () => seed(dataFolder, stackName, learnedItems(count)));
    await withService(dataFolder, async (service) => {
      await measure(service, 'without a snapshot');
      const written = newLine(service, 'snapshot written","type":"learned', 0);
      await service.advance('6m').catch(() => {});
      await written;
    });
    await withService(dataFolder, (service) => measure(service, 'with a snapshot'));
  } finally {
    rmSync(dataFolder, { recursive: true, force: true });
  }
}

function benchSearch(count: number): void {
  const index = new LearnedIndex();
  for (const { id, listing } of learnedIncidents(count)) index.apply(id, 1, listing);
  const { aQuestion } = manyQuestions(5);
  const texts = [...manyIncidents(searches)].map(({ document }) => toIncidentText(document));
  const times = texts.map((text) => {
    const vector = aQuestion();
    const startedAtMs = performance.now();
    index.searchIncidents({ vector, text, count: 15, accepts: ({ open }) => !open });
    return performance.now() - startedAtMs;
  });
  console.log(
    `search of ${count} learned incidents: p50 ${percentile(times, 0.5)} ms, p95 ${percentile(times, 0.95)} ms`,
  );
}

async function measure(service: Service, what: string): Promise<void> {
  const token = await getToken(service, 'viewer');
  const idleMb = residentMb(service);
  const texts = [...manyIncidents(searches)].map(({ document }) => document.short_description);
  const times: number[] = [];
  for (const description of texts) {
    const startedAtMs = performance.now();
    const request = () =>
      fetch(`${service.baseUrl}/prod/api/v1/ai/exemplars`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ description }),
      });
    // A load that takes longer than a request continues with the next one.
    let response = await request();
    for (let attempt = 1; response.status === 503 && attempt < maxAttempts; attempt++) response = await request();
    if (!response.ok) throw new Error(`look-alikes answered ${response.status}: ${await response.text()}`);
    times.push(performance.now() - startedAtMs);
  }
  const [first = 0, ...later] = times;
  console.log(`${what}: first response ${first.toFixed(0)} ms, later ones p50 ${percentile(later, 0.5)} ms`);
  console.log(`  resident memory of the whole server: ${idleMb} MB before, ${residentMb(service)} MB after`);
}

function* learnedIncidents(count: number) {
  const { aQuestion } = manyQuestions(17);
  for (const record of manyIncidents(count)) {
    const { document, id, updated_at } = record;
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
    const units = [{ level: 'record', passage: 0, vector: packed(aQuestion()), terms }] as const;
    yield { id, updated_at, listing: encodeLearned({ facts, units }) };
  }
}

function* learnedItems(count: number) {
  for (const { id, updated_at, listing } of learnedIncidents(count)) {
    const { feed_pk, feed_sk } = toFeedKeys(learnedType, id, updated_at);
    yield {
      pk: { S: id },
      sk: { S: `chunk#${embedderName}` },
      version: { N: '2' },
      text_hash: { S: 'bench' },
      listing: { B: Buffer.from(listing).toString('base64') },
      feed_pk: { S: feed_pk },
      feed_sk: { S: feed_sk },
    };
  }
}

function percentile(values: readonly number[], share: number): string {
  const sorted = [...values].sort((a, b) => a - b);
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1);
}
