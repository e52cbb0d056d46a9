// npm run eval -- desk: asks a running service with demo data what people ask at a service desk, over HTTP and from
// outside, and judges the answers. README.md states the rules.
import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { call } from '../../support/http.ts';
import { signIn } from '../../support/people.ts';
import { type Service, startService } from '../../support/service.ts';
import { calibrationError, computeShare, report, verbose } from '../report.ts';
import { type Check, type Expected, judge, type Reply, type Verdict, verdicts } from './judge.ts';
import { questions } from './questions.ts';
import { loadRecords, type Records } from './truth.ts';

/** Turns of a conversation, what the last answer must say, and who asks. */
export type Question = (records: Records) => Built | Promise<Built>;
type Built = readonly [turns: string | readonly string[], expected: Check | Expected, name?: string];

interface Asked {
  verdict: Verdict;
  latenciesMs: number[];
}

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');

export async function desk(): Promise<void> {
  await withService([], async (caller) => {
    await copilot(caller, questions);
    await cache(caller);
  });
  await withService(['--empty'], reading);
}

export const askQuestions = (asked: Readonly<Record<string, readonly Question[]>>): Promise<void> =>
  withService([], (caller) => copilot(caller, asked));

/** A service as `npm start` runs it, on a free port, in a temporary folder. */
async function withService(args: readonly string[], work: (caller: Caller) => Promise<void>): Promise<void> {
  const service = await startService({ args });
  try {
    await work(new Caller(service));
  } finally {
    await service.stop();
  }
}

/** Calls AI operations as a person, and moves the clock by a minute when the limit of an operation is reached. */
class Caller {
  readonly service: Service;
  private aheadMs = 0;
  private readonly tokens = new Map<string, Promise<string>>();

  constructor(service: Service) {
    this.service = service;
  }

  nowMs(): number {
    return Date.now() + this.aheadMs;
  }

  token(name: string): Promise<string> {
    const person = this.service.credentials.users.find(({ email }) => email === `${name}@example.com`);
    if (!person) throw new Error(`the demo has no ${name}`);
    const token = this.tokens.get(name) ?? signIn(this.service, person);
    this.tokens.set(name, token);
    return token;
  }

  // biome-ignore lint/suspicious/noExplicitAny: the evaluation reads a few fields of bodies that it does not type.
  async post(path: string, body: object, name = 'manager'): Promise<{ status: number; body: any; latencyMs: number }> {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const startedAt = performance.now();
    const response = await call(this.service, path, { ...init, token: await this.token(name) });
    const latencyMs = performance.now() - startedAt;
    if (response.headers.get('x-ratelimit-remaining') === '0') {
      await this.service.advance('61s', []);
      this.aheadMs += 61_000;
    }
    return { status: response.status, body: response.body, latencyMs };
  }
}

async function copilot(caller: Caller, questions: Readonly<Record<string, readonly Question[]>>): Promise<void> {
  const records = await loadRecords(caller.service, await caller.token('manager'), caller.nowMs());
  await caller.post('/ai/query', { query: 'How many incidents are open?' });
  const kinds = new Map<string, Asked[]>();
  for (const [kind, builders] of Object.entries(questions)) {
    const asked: Asked[] = [];
    for (const build of builders) {
      const [turns, expected, name] = await build({ ...records, nowMs: caller.nowMs() });
      const wanted = typeof expected === 'function' ? { check: expected } : expected;
      asked.push(await converse(caller, [turns].flat(), wanted, name));
    }
    kinds.set(kind, asked);
  }
  printTable(kinds);
}

async function converse(caller: Caller, turns: string[], expected: Expected, name?: string): Promise<Asked> {
  const latenciesMs: number[] = [];
  let conversation: object = {};
  let reply: Reply = { status: 0, answer: '', records: [], citations: [] };
  for (const query of turns) {
    const { status, body, latencyMs } = await caller.post('/ai/query', { query, ...conversation }, name);
    latenciesMs.push(latencyMs);
    if (status === 200) conversation = { conversation_id: body.conversation_id };
    reply = { status, answer: body.answer ?? '', records: body.records ?? [], citations: body.citations ?? [] };
  }
  const verdict = judge(reply, expected);
  if (verbose && verdict !== 'right')
    console.log(`    ${verdict}: ${turns.join(' → ')}\n      ${reply.answer.slice(0, 200).replaceAll('\n', ' ⏎ ')}`);
  return { verdict, latenciesMs };
}

function printTable(kinds: ReadonlyMap<string, readonly Asked[]>): void {
  const everything = [...kinds.values()].flat();
  console.log(`\nService desk, ${everything.length} questions to the copilot (share in %, latency in ms)`);
  console.log(
    `    ${'kind'.padEnd(36)} count ${verdicts.map((name) => name.padStart(name.length + 1)).join('')}   p50   p95`,
  );
  for (const [kind, asked] of [...kinds, ['all', everything] as const]) {
    const shares = verdicts.map((name) => formatShare(asked, name).padStart(name.length + 1)).join('');
    const latencies = asked.flatMap(({ latenciesMs }) => latenciesMs);
    const [median, high] = [0.5, 0.95].map((part) => String(Math.round(percentile(latencies, part))).padStart(6));
    console.log(`    ${kind.padEnd(36)} ${String(asked.length).padStart(5)} ${shares}${median}${high}`);
  }
  const isRight = ({ verdict }: Asked) => verdict === 'right';
  report('right', computeShare(everything, isRight), { atLeast: 0.85 });
  report('right in the weakest kind', Math.min(...[...kinds.values()].map((asked) => computeShare(asked, isRight))), {
    atLeast: 0.75,
  });
  report(
    'confidently wrong',
    computeShare(everything, ({ verdict }) => verdict === 'confidently wrong'),
    {
      atMost: 0.02,
    },
  );
}

const formatShare = (asked: readonly Asked[], name: Verdict): string =>
  String(Math.round(100 * computeShare(asked, ({ verdict }) => verdict === name)));

function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0;
}

interface Pair {
  operation: 'ask' | 'suggest';
  a: string;
  b: string;
}

/** The second text of a pair is asked right after the first one. */
async function cache(caller: Caller): Promise<void> {
  const isHit = async ({ operation, a, b }: Pair): Promise<boolean> => {
    const send = (text: string) =>
      caller.post(`/ai/${operation}`, { [operation === 'ask' ? 'question' : 'text']: text });
    await send(a);
    const { body } = await send(b);
    return body.cache_hit === true && body.cache.matched === a;
  };
  console.log('\nService desk, semantic cache');
  for (const { name, goal } of [
    { name: 'paraphrases', goal: { atLeast: 12 } },
    { name: 'look-alikes', goal: { atMost: 0 } },
  ]) {
    const pairs = JSON.parse(read(`${name}.json`)) as Pair[];
    const hits: Pair[] = [];
    for (const pair of pairs) if (await isHit(pair)) hits.push(pair);
    report(`hits on ${pairs.length} ${name}`, hits.length, goal);
    if (verbose) for (const { a, b } of hits) console.log(`    ${a} | ${b}`);
  }
}

interface ReadingArticle {
  title: string;
  body: string;
  questions: { q: string; answerable: boolean }[];
}

/** Articles of a domain that nothing was trained or calibrated with. */
async function reading(caller: Caller): Promise<void> {
  const lines = read('reading.jsonl').trim().split('\n');
  const articles = lines.map((line) => JSON.parse(line) as ReadingArticle);
  const ids: string[] = [];
  for (const { title, body } of articles) {
    const created = await caller.post('/knowledge/articles', { title, body, category: 'hotel', state: 'published' });
    if (created.status !== 201) throw new Error(`an article was not created: ${JSON.stringify(created.body)}`);
    ids.push(created.body.id);
  }
  for (const [index, { title }] of articles.entries()) await waitUntilLearned(caller, title, ids[index]);
  const asked = articles.flatMap(({ questions: own }, index) =>
    own.map(({ q, answerable }, place) => ({ q, answerable, place, id: ids[index] })),
  );
  const judged: { answerable: boolean; isCited: boolean; isRight: boolean; confidence: number }[] = [];
  // Questions on the same article are far apart, so that the cache of answers does not decide.
  for (const { q, answerable, id } of asked.sort((a, b) => a.place - b.place)) {
    const { body } = await caller.post('/ai/ask', { question: q });
    const [best] = [...body.citations, ...body.related];
    const isRight = answerable && best?.article_id === id;
    judged.push({ answerable, isCited: body.citations.length > 0, isRight, confidence: body.confidence });
  }
  const [answerable, nearMisses] = [true, false].map((wanted) => judged.filter((each) => each.answerable === wanted));
  console.log(`\nService desk, ${judged.length} questions on ${articles.length} articles of an unseen domain`);
  report(
    'right article cited first',
    computeShare(answerable ?? [], (each) => each.isCited && each.isRight),
    { atLeast: 0.85 },
  );
  report(
    'irrelevant quotations for near misses',
    computeShare(nearMisses ?? [], ({ isCited }) => isCited),
    { atMost: 0.15 },
  );
  report('calibration error', calibrationError(judged), { atMost: 0.05 });
}

const maxAttempts = 60;

/** Articles are learned in the background. The number keeps the cache from repeating the first answer. */
async function waitUntilLearned(caller: Caller, title: string, id: string | undefined): Promise<void> {
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const { body } = await caller.post('/ai/ask', { question: `${title} (${attempt})` });
    if ([...body.citations, ...body.related].some((each) => each.article_id === id)) return;
    await setTimeout(500);
  }
  throw new Error(`"${title}" was not learned`);
}
