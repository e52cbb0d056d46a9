// Sends hostile requests to every operation in every role and checks each answer against the contract. The same seed makes
// the same requests, as far as ids that the service makes allow.

import { readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { apiPrefixes, stageName } from '../../contract/http.ts';
import type { Operation } from '../../contract/operation.ts';
import { operations } from '../../contract/routes.ts';
import { type ClientName, getToken } from '../support/http.ts';
import { type Random, random } from '../support/random.ts';
import { type RawAnswer, sendRaw } from '../support/raw-http.ts';
import type { Service } from '../support/service.ts';
import { checkAnswer } from './check-answer.ts';
import { type Draft, mutate } from './mutations.ts';
import { Pools } from './pools.ts';
import { validBody } from './valid-bodies.ts';

export interface FuzzOptions {
  requests: number;
  seed: number;
  onProgress?(done: number): void;
}

export interface FuzzReport {
  findings: string[];
  /** Answers by status. */
  statuses: Record<string, number>;
  /** Answers other than 401, 403, 404, 405 and 429, by operation: how deep the requests got. */
  deep: Record<string, number>;
}

const concurrency = 8;
/** A batch stays within the limit of a second; then the clock moves on. */
const batchSize = 80;
const maxFindings = 50;
/** These embed texts, which takes far longer than anything else. */
const aiWeight = 0.2;

const roles: readonly (ClientName | 'nobody')[] = ['admin', 'admin', 'manager', 'manager', 'agent', 'viewer', 'nobody'];

export async function fuzz(service: Service, { requests, seed, onProgress }: FuzzOptions): Promise<FuzzReport> {
  const pools = new Pools(service);
  await pools.fill();
  const report: FuzzReport = { findings: [], statuses: {}, deep: {} };
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
  const scheduled = schedule(requests, random(seed));
  for (let done = 0; done < scheduled.length && report.findings.length < maxFindings; done += batchSize) {
    const tokens = await getTokens(service);
    const batch = scheduled
      .slice(done, done + batchSize)
      .map((operation, index) => ({ operation, number: done + index }));
    const runWorker = async () => {
      for (let next = batch.shift(); next; next = batch.shift()) {
        const choices = random(seed * 1_000_003 + next.number);
        await sendOne(next, { service, pools, choices, tokens, agent, report });
      }
    };
    await Promise.all(Array.from({ length: concurrency }, runWorker));
    await service.advance('2s');
    onProgress?.(Math.min(done + batchSize, scheduled.length));
  }
  agent.destroy();
  report.findings.push(...readFailures(service));
  return report;
}

interface Tools {
  service: Service;
  pools: Pools;
  choices: Random;
  tokens: ReadonlyMap<string, string>;
  agent: Agent;
  report: FuzzReport;
}

async function sendOne({ operation, number }: { operation: Operation; number: number }, tools: Tools): Promise<void> {
  const { service, pools, choices, tokens, agent, report } = tools;
  const params = await pools.params(operation, choices);
  const role = choices.pick(roles);
  const draft = aDraft(operation, params, tokens.get(role), choices);
  const how = mutate(draft, choices);
  const target = `/${stageName}${choices.pick(apiPrefixes)}${draft.path}${draft.query.length > 0 ? '?' : ''}${draft.query.join('&')}`;
  const body = draft.body ?? (draft.json === undefined ? undefined : JSON.stringify(draft.json));
  const addFinding = (what: string) =>
    report.findings.push(
      `#${number} ${what}\n  ${how}, as ${role}: ${draft.method} ${shorten(target)} ${shorten(JSON.stringify(draft.headers.filter(([name]) => name !== 'Authorization')))}\n  ${shorten(String(body))}`,
    );
  let answer: RawAnswer;
  try {
    const headers = draft.headers.flat();
    answer = await sendRaw(service.baseUrl + target, {
      method: draft.method,
      headers,
      agent,
      ...(body === undefined ? {} : { body }),
    });
  } catch (error) {
    addFinding(`no answer: ${error}`);
    return;
  }
  const { status, text } = answer;
  report.statuses[status] = (report.statuses[status] ?? 0) + 1;
  if (![401, 403, 404, 405, 429].includes(status)) report.deep[operation.name] = (report.deep[operation.name] ?? 0) + 1;
  const wrong = checkAnswer(draft, answer);
  if (wrong) addFinding(`${wrong}\n  ${status} ${shorten(text)}`);
  else if (!draft.isElsewhere && status < 300 && text !== '' && !operation.responses[status]?.contentType) {
    await pools.learn(operation, params, { status, headers: new Headers(), body: JSON.parse(text) });
  } else if (status === 204) await pools.learn(operation, params, { status, headers: new Headers(), body: undefined });
}

/**
 * Which operation each request asks for. Requests of one operation follow each other, because a function that is not warm
 * takes longer to start than a hundred requests take.
 */
function schedule(requests: number, choices: Random): Operation[] {
  const weights = operations.map(({ rateLimit }) => (rateLimit.startsWith('ai_') ? aiWeight : 1));
  const perWeight = requests / weights.reduce((sum, weight) => sum + weight, 0);
  const rounds = Math.max(1, Math.min(2, Math.floor(perWeight / 20)));
  const scheduled: Operation[] = [];
  for (let round = 0; round < rounds; round++) {
    const order = operations.map((_, index) => ({ index, place: choices.next() })).sort((a, b) => a.place - b.place);
    for (const { index } of order) {
      const count = Math.ceil((weights[index]! * perWeight) / rounds);
      for (let time = 0; time < count; time++) scheduled.push(operations[index]!);
    }
  }
  return scheduled;
}

function aDraft(
  operation: Operation,
  params: Record<string, string>,
  token: string | undefined,
  choices: Random,
): Draft {
  const { method, path, body } = operation;
  const shape = operation.query?.shape ?? {};
  const wanted = Object.keys(shape).filter((name) => name !== 'cursor' && name !== 'page' && choices.next() < 0.2);
  return {
    operation,
    method,
    path: path.replace(/\{(\w+)\}/g, (_match, name: string) => params[name] ?? 'unknown'),
    query: wanted.flatMap((name) => {
      const [example] = (shape[name]!.meta()?.examples ?? []) as unknown[];
      return example === undefined ? [] : [`${name}=${encodeURIComponent(String(example))}`];
    }),
    headers: [
      ...(token ? [['Authorization', `Bearer ${token}`] as [string, string]] : []),
      ...(body ? [['Content-Type', 'application/json'] as [string, string]] : []),
    ],
    json: validBody(operation, choices),
    body: undefined,
    isElsewhere: false,
  };
}

async function getTokens(service: Service): Promise<ReadonlyMap<string, string>> {
  const names = [...new Set(roles)].filter((name): name is ClientName => name !== 'nobody');
  return new Map(await Promise.all(names.map(async (name) => [name, await getToken(service, name)] as const)));
}

/** A worker that fails or runs out of time restarts, which a single answer does not show. */
function readFailures({ dataFolder }: Service): string[] {
  const lines = readFileSync(join(dataFolder, 'server.log'), 'utf8').split('\n');
  const failures = lines.filter((line) => line.startsWith('{"level":"error"'));
  return failures.slice(0, maxFindings).map((line) => `in the log: ${shorten(line)}`);
}

function shorten(text: string): string {
  return text.length <= 600 ? text : `${text.slice(0, 600)}… (${text.length})`;
}
