// Labels the words of a question with the filters that they mean, by a small model that was trained with thousands of
// labelled questions (model/README.md). So it understands wordings that no list of phrases contains.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Tokenizer } from '@huggingface/tokenizers';
import { LRUCache } from 'lru-cache';
import { InferenceSession, Tensor } from 'onnxruntime-node';

/** A run of words with one label, such as `ci`, `created` or `state=open`. */
export interface Span {
  label: string;
  from: number;
  until: number;
  text: string;
}

export interface TaggedQuestion {
  /** incidents, changes, requests, items, knowledge or record. */
  kind: string;
  /** In the order of the words. */
  spans: readonly Span[];
}

export type TagQuestion = (question: string) => Promise<TaggedQuestion>;

interface Vocabulary {
  kinds: readonly string[];
  labels: readonly string[];
}

const maxTokens = 256;

const maxCached = 100;

/**
 * Loads the model with the first question; a failed load is tried again with the next one. Caches recent questions, because
 * the built-in model plans again in every turn of a conversation.
 */
export function questionTagger(): TagQuestion {
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
  const folder = findModelFolder();
  const threads = { intraOpNumThreads: 1, interOpNumThreads: 1 };
  const session = await InferenceSession.create(join(folder, 'planner.onnx'), threads);
  const { kinds, labels } = readJson(join(folder, 'planner.json')) as Vocabulary;
  const tokenizer = new Tokenizer(readJson(join(folder, 'tokenizer.json')) as object, {});
  const [start = 0, end = 0] = tokenizer.encode('').ids;
  return async (question) => {
    const ids = [start];
    const words: { from: number; until: number; place: number }[] = [];
    for (const { 0: text, index: from } of question.matchAll(/[\p{L}\p{N}\p{M}]+|[^\s\p{L}\p{N}\p{M}]/gu)) {
      const pieces = tokenizer.encode(text, { add_special_tokens: false }).ids;
      if (ids.length + pieces.length >= maxTokens) break;
      words.push({ from, until: from + text.length, place: ids.length });
      ids.push(...pieces);
    }
    ids.push(end);
    const outputs = await session.run({
      input_ids: new Tensor('int64', BigInt64Array.from(ids, BigInt), [1, ids.length]),
      attention_mask: new Tensor('int64', new BigInt64Array(ids.length).fill(1n), [1, ids.length]),
    });
    const [scores, kindScores] = [readScores(outputs.labels), [...readScores(outputs.kinds)]];
    const kind = kinds[kindScores.indexOf(Math.max(...kindScores))] ?? 'incidents';
    const spans = labels.flatMap((label, column) => {
      const isLabelled = words.map(({ place }) => (scores[place * labels.length + column] ?? -1) > 0);
      return joinWords(isLabelled, words).map(({ from, until }) => ({
        label,
        from,
        until,
        text: question.slice(from, until),
      }));
    });
    return { kind, spans: spans.sort((a, b) => a.from - b.from) };
  };
}

function readScores(output: Tensor | undefined): Float32Array {
  if (!(output?.data instanceof Float32Array)) throw new Error('the planner returned no scores');
  return output.data;
}

/** Words that follow each other are one span. */
function joinWords(isLabelled: readonly boolean[], words: readonly { from: number; until: number }[]) {
  const spans: { from: number; until: number }[] = [];
  for (const [place, word] of words.entries()) {
    const last = spans.at(-1);
    if (!isLabelled[place]) continue;
    if (last && isLabelled[place - 1]) last.until = word.until;
    else spans.push({ from: word.from, until: word.until });
  }
  return spans;
}

const maxParents = 5;

/** The sources and the bundle lie at different depths of the repository. */
function findModelFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  for (let level = 0; level < maxParents; level++, folder = dirname(folder)) {
    if (existsSync(join(folder, 'model', 'planner.onnx'))) return join(folder, 'model');
  }
  throw new Error('model/planner.onnx is missing');
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}
