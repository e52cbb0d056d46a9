// Labels the words of a question with the filters that they mean. A small model does it that was trained with thousands of
// labelled questions (model/README.md), so it understands wordings that no list of phrases contains.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Tokenizer } from '@huggingface/tokenizers';
import { LRUCache } from 'lru-cache';
import { InferenceSession, Tensor } from 'onnxruntime-node';

/** Consecutive words with one label, such as `ci`, `created` or `state=open`. */
export interface Span {
  label: string;
  from: number;
  until: number;
  text: string;
}

export interface TaggedQuestion {
  /** incidents, changes, requests, items, articles, knowledge, record, webhooks, oncall, order or other. */
  kind: string;
  /** In the order of the words. */
  spans: readonly Span[];
  /** Words without a label that the training questions do not have either. */
  unknown: readonly string[];
  /** The other words without a label. */
  plain?: readonly string[];
}

export type TagQuestion = (question: string) => Promise<TaggedQuestion>;

interface PlannerFile {
  kinds: string[];
  labels: string[];
  /** Words without a meaning for a plan. */
  plain: string;
  /** The words of each label for a figure, a group or a field. */
  words: Record<string, string>;
}

const maxTokens = 256;
const maxCached = 100;

/**
 * Loads the model with the first question; the next question retries a failed load. Caches recent questions, because the
 * built-in model plans again in every round of a conversation.
 */
export function createTagger(): TagQuestion {
  let loading: Promise<TagQuestion> | undefined;
  const recent = new LRUCache<string, TaggedQuestion>({ max: maxCached });
  return async (question) => {
    loading ??= loadTagger().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    const tagged = recent.get(question) ?? (await (await loading)(question));
    recent.set(question, tagged);
    return tagged;
  };
}

async function loadTagger(): Promise<TagQuestion> {
  const threads = { intraOpNumThreads: 1, interOpNumThreads: 1 };
  const session = await InferenceSession.create(join(findModelFolder(), 'planner.onnx'), threads);
  const { kinds, labels, plain, words: wordsOfLabels } = readModelFile('planner.json') as PlannerFile;
  const plainWords = new Set(plain.split(' '));
  const starts = new Map(
    Object.entries(wordsOfLabels).map(([label, words]) => [label, new Set(words.split(' ').map(toStart))]),
  );
  const tokenizer = new Tokenizer(readModelFile('tokenizer.json') as object, {});
  const [start = 0, end = 0] = tokenizer.encode('').ids;
  return async (question) => {
    const ids = [start];
    const words: Word[] = [];
    for (const { 0: text, index: from } of question.matchAll(/[\p{L}\p{N}\p{M}]+|[^\s\p{L}\p{N}\p{M}]/gu)) {
      const tokens = tokenizer.encode(text, { add_special_tokens: false }).ids;
      if (ids.length + tokens.length >= maxTokens) break;
      words.push({ from, until: from + text.length, token: ids.length });
      ids.push(...tokens);
    }
    ids.push(end);
    const output = await session.run({
      input_ids: new Tensor('int64', BigInt64Array.from(ids, BigInt), [1, ids.length]),
      attention_mask: new Tensor('int64', new BigInt64Array(ids.length).fill(1n), [1, ids.length]),
    });
    const [scores, kindScores] = [toScores(output.labels), [...toScores(output.kinds)]];
    const kind = kinds[kindScores.indexOf(Math.max(...kindScores))] ?? 'incidents';
    const found = labels.flatMap((label, column) =>
      findRuns(words, ({ token }) => (scores[token * labels.length + column] ?? -1) > 0).map(({ from, until }) => ({
        label,
        from,
        until,
        text: question.slice(from, until),
      })),
    );
    const spans = found.map((span) =>
      isKnown(span.text, starts.get(span.label)) ? span : { ...span, label: 'unsupported' },
    );
    const unlabelled = listUnlabelled(question, words, spans);
    const isPlain = (word: string) => plainWords.has(word.toLowerCase());
    return {
      kind,
      spans: spans.sort((a, b) => a.from - b.from),
      unknown: unlabelled.filter((word) => !isPlain(word)),
      plain: unlabelled.filter(isPlain),
    };
  };
}

/** The model gives "which vendor" the label of a similar group. A word with another ending or a typing error is known. */
function isKnown(text: string, starts: ReadonlySet<string> | undefined): boolean {
  const words = text.toLowerCase().match(/\p{L}{3,}/gu) ?? [];
  return !starts || words.every((word) => starts.has(toStart(word)) || auxiliary.test(word));
}

const auxiliary = /^(?:had|have|did|was|were|got)$/;

function toStart(word: string): string {
  return word.slice(0, 3);
}

/** Words of one letter, numbers and words that are joined to a labelled one carry no meaning of their own. */
function listUnlabelled(question: string, words: readonly Word[], spans: readonly Span[]): string[] {
  const unlabelled = words.filter(({ from, until }) => !spans.some((span) => span.from <= until && from <= span.until));
  return unlabelled
    .map(({ from, until }) => question.slice(from, until))
    .filter((word) => /^(?:\p{L}{2,}|p\d)$/iu.test(word));
}

function toScores(output: Tensor | undefined): Float32Array {
  if (!(output?.data instanceof Float32Array)) throw new Error('the planner returned no scores');
  return output.data;
}

interface Word {
  from: number;
  until: number;
  /** Index of its first token. */
  token: number;
}

/** Joins consecutive words with the same label. */
function findRuns(words: readonly Word[], isLabelled: (word: Word) => boolean): Word[] {
  const runs: Word[] = [];
  for (const [index, word] of words.entries()) {
    const last = runs.at(-1);
    if (!isLabelled(word)) continue;
    if (last && last.until === words[index - 1]?.until) last.until = word.until;
    else runs.push({ ...word });
  }
  return runs;
}

export function readModelFile(name: string): unknown {
  return JSON.parse(readFileSync(join(findModelFolder(), name), 'utf8'));
}

const maxParents = 5;

/** The sources and the bundle are at different depths of the repository. */
function findModelFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  for (let level = 0; level < maxParents; level++, folder = dirname(folder)) {
    if (existsSync(join(folder, 'model', 'planner.onnx'))) return join(folder, 'model');
  }
  throw new Error('model/planner.onnx is missing');
}
