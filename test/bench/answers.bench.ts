import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { buildDemoArticles } from '../../demo/articles.ts';
import { packVector } from '../../lambdas/ai/embedding/vector.ts';
import { ensureLocalBuild, stackName } from '../../tools/build/local-build.ts';
import { getToken } from '../support/http.ts';
import { manyQuestions } from '../support/many-questions.ts';
import { type Service, startService } from '../support/service.ts';
import { createTableClient, findTable } from '../support/tables.ts';
import type { BenchItem } from './record-items.ts';
import { printTable } from './report.ts';
import { seed } from './seed.ts';

const usualCount = 50_000;
const cacheTable = /AiCache[0-9A-F]{8}$/;
const perMinute = 60;

/** New and cached answers of the knowledge base while the cache holds many others. */
export async function benchAnswers(count = usualCount): Promise<void> {
  await ensureLocalBuild();
  const scope = await findQuestionScope();
  const dataFolder = mkdtempSync(join(tmpdir(), 'answers-'));
  try {
    await seed(dataFolder, stackName, createVectors(scope, count), cacheTable);
    const service = await startService({ dataFolder });
    try {
      printTable(`Answers, with ${count} others in the cache`, await measure(service));
    } finally {
      await service.kill();
    }
  } finally {
    rmSync(dataFolder, { recursive: true, force: true });
  }
}

/** Reads the cache scope of questions without a context record from the table. */
async function findQuestionScope(): Promise<string> {
  const service = await startService();
  const ask = await createAsk(service);
  await ask('What is the meaning of this?');
  const client = createTableClient(service);
  const { Items } = await client.send(new ScanCommand({ TableName: await findTable(client, cacheTable) }));
  client.destroy();
  await service.stop();
  return Items!.map(({ pk }) => /^answer#([^#]+)#/.exec(pk!.S!)?.[1]).find((found) => found !== undefined)!;
}

/** Synthetic questions that are similar to the demo texts. */
function* createVectors(scope: string, count: number): Iterable<BenchItem> {
  const { aQuestion } = manyQuestions(23);
  const nowMs = Date.now();
  const expiresAtMs = nowMs + 3_600_000;
  for (let number = 0; number < count; number++) {
    yield {
      pk: { S: 'vectors' },
      sk: { S: `${nowMs - 50 * (count - number)}#${scope}#${number}` },
      vector: { B: Buffer.from(packVector(aQuestion())).toString('base64') },
      expires_at_ms: { N: String(expiresAtMs) },
      expires_at: { N: String(Math.ceil(expiresAtMs / 1_000)) },
    };
  }
}

type Ask = (question: string) => Promise<Asked>;

interface Asked {
  citations: readonly unknown[];
  cache_hit: boolean;
  cache?: { similarity: number };
  latency_ms: number;
  wholeMs: number;
}

async function createAsk(service: Service): Promise<Ask> {
  const token = await getToken(service, 'viewer');
  let asked = 0;
  return async (question) => {
    // Skip to the next window of the caller's rate limit.
    if (++asked % perMinute === 0) await service.advance('61s');
    const from = performance.now();
    const response = await fetch(`${service.baseUrl}/prod/api/v1/ai/ask`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ question }),
    });
    if (!response.ok) throw new Error(`a question was answered with ${response.status}`);
    return { ...((await response.json()) as Asked), wholeMs: performance.now() - from };
  };
}

async function measure(service: Service): Promise<Record<string, string>[]> {
  await learnArticles(service);
  const ask = await createAsk(service);
  const pairs: { a: string; b: string }[] = JSON.parse(
    readFileSync(new URL('../eval/rewordings.json', import.meta.url), 'utf8'),
  );
  const found: Record<'new' | 'same' | 'reworded', Asked[]> = { new: [], same: [], reworded: [] };
  for (const { a, b } of pairs) {
    const first = await ask(a);
    if (first.citations.length === 0) continue;
    if (!first.cache_hit) found.new.push(first);
    found.same.push(await ask(a));
    const reworded = await ask(b);
    if (reworded.cache_hit && reworded.cache!.similarity < 1) found.reworded.push(reworded);
  }
  return [
    row('a new question, answered by the built-in model', found.new),
    row('the same words again', found.same),
    row('other words that mean the same, embedding included', found.reworded),
  ];
}

async function learnArticles(service: Service): Promise<void> {
  const token = await getToken(service, 'manager');
  for (const { name: _, ...article } of buildDemoArticles()) {
    const { status } = await fetch(`${service.baseUrl}/prod/api/v1/knowledge/articles`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(article),
    });
    if (status !== 201) throw new Error(`creating an article returned ${status}`);
  }
  // Moving the clock completes scheduled work and stream processing.
  await service.advance('2m');
}

function row(what: string, answers: readonly Asked[]): Record<string, string> {
  const at = (times: number[], share: number) =>
    times.sort((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))]!.toFixed(0);
  const server = answers.map(({ latency_ms }) => latency_ms);
  const whole = answers.map(({ wholeMs }) => wholeMs);
  return {
    what,
    times: String(answers.length),
    'server p50 ms': at(server, 0.5),
    'p95 ms': at(server, 0.95),
    'most ms': at(server, 1),
    'whole p50 ms': at(whole, 0.5),
    'whole p95 ms': at(whole, 0.95),
  };
}
