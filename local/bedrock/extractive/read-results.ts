// Puts what tools gave into words: how many there are, which ones with their ids, and what a single one says. Nothing is
// said that is not in a result.
import type { Content } from '../converse.ts';
import { nounOf } from './choose-tools.ts';
import type { Document } from './documents.ts';
import type { ToolCall } from './plan-tools.ts';
import { quote, withoutOrders } from './quote.ts';
import { plainWords, stem } from './words.ts';

export interface Result {
  call: ToolCall;
  failed: boolean;
  output: unknown;
}

type Fields = Record<string, unknown>;

const mostListed = 10;
const titles = ['short_description', 'title', 'name', 'summary', 'subject', 'description'];
const bodies = ['body', 'text', 'snippet', 'passage', 'content', 'excerpt', 'chunk'];
const marks = ['priority', 'state', 'status', 'type', 'class', 'risk'];

export function readResults(question: string, results: readonly Result[]): string {
  return together(results)
    .map((result) => readResult(question, result))
    .join('\n\n');
}

/** Several searches with one tool are one answer; what they found is added up. */
function together(results: readonly Result[]): Result[] {
  const names = [...new Set(results.map(({ call }) => call.name))];
  return names.flatMap((name) => {
    const same = results.filter(({ call }) => call.name === name);
    const joined = same.length > 1 && same.every(({ failed, output }) => !failed && totalIn(output) !== undefined);
    return joined ? [joinedResult(name, same)] : same;
  });
}

function joinedResult(name: string, results: readonly Result[]): Result {
  const total = results.reduce((sum, { output }) => sum + totalIn(output)!, 0);
  const inputs = results.flatMap(({ call }) => Object.entries(call.input));
  const input: Fields = {};
  for (const [key, value] of inputs) input[key] = [...new Set([input[key] ?? [], value].flat())];
  return {
    call: { name, input },
    failed: false,
    output: { total, data: results.flatMap(({ output }) => recordsIn(output)) },
  };
}

export function isEmpty({ failed, output }: Result): boolean {
  return !failed && recordsIn(output).length === 0 && (totalIn(output) ?? 0) === 0;
}

/** Results with the calls they answer, of the last round. */
export function lastResults(messages: readonly { content: readonly Content[] }[]): Result[] {
  const [asking, answering] = messages.slice(-2);
  const calls = (asking?.content ?? []).filter((each) => each.kind === 'tool_use');
  return (answering?.content ?? []).flatMap((each): Result[] => {
    if (each.kind !== 'tool_result') return [];
    const call = calls.find(({ id }) => id === each.id);
    if (!call) return [];
    const output = each.outputs.length === 1 ? unwrapped(each.outputs[0]) : each.outputs;
    return [{ call: { name: call.name, input: (call.input ?? {}) as Fields }, failed: each.failed, output }];
  });
}

function readResult(question: string, { call, failed, output }: Result): string {
  const noun = nounOf(call.name);
  if (failed) return `Looking up ${noun} failed: ${failureText(output)}`;
  const records = recordsIn(output);
  const total = totalIn(output) ?? records.length;
  const filters = filterText(call.input);
  const counts = countsIn(output);
  if (counts.length > 0) return [`${total} ${noun} found${filters}:`, ...counts].join('\n');
  if (total === 0 && records.length === 0) return `No ${noun} found${filters}.`;
  if (records.length === 0) return `${total} ${noun} found${filters}.`;
  if (records.length === 1 && isObject(output) && !Array.isArray(output) && idOf(output) !== undefined) {
    return detail(question, records[0]!);
  }
  const quoted = quotedFrom(records);
  if (quoted) return quoted;
  const listed = records.slice(0, mostListed).map((record) => `- ${line(record)}`);
  const more = total > listed.length ? [`… and ${total - listed.length} more.`] : [];
  return [`${total} ${noun} found${filters}:`, ...listed, ...more].join('\n');
}

/** One line for each value, where a tool counted by a field. */
function countsIn(output: unknown): string[] {
  if (!isObject(output)) return [];
  const { by, counts, others } = output;
  if (!Array.isArray(counts)) return [];
  const lines = counts.filter(isObject).map(({ value, count }) => {
    return `- ${value === null ? `no ${String(by ?? 'value').replaceAll('_', ' ')}` : String(value).replaceAll('_', ' ')}: ${count}`;
  });
  return typeof others === 'number' ? [...lines, `- others: ${others}`] : lines;
}

/** Articles are quoted, not listed. */
function quotedFrom(records: readonly Fields[]): string | undefined {
  const documents = records.flatMap((record): Document[] => {
    const body = bodies.map((name) => record[name]).find((each) => typeof each === 'string');
    if (typeof body !== 'string') return [];
    const relevance = typeof record.relevance === 'number' ? record.relevance : 0;
    return [{ source: String(idOf(record) ?? ''), kind: 'article', title: titleOf(record), relevance, text: body }];
  });
  const quotation = quote(documents);
  return quotation && `${quotation.text}\n\n(${quotation.sources.join(', ')})`;
}

function line(record: Fields): string {
  const title = titleOf(record);
  const told = marks.map((name) => record[name]).filter((each) => typeof each === 'string');
  return `**${idOf(record)}**${title === '' ? '' : ` ${title}`}${told.length > 0 ? ` (${told.join(', ').replaceAll('_', ' ')})` : ''}`;
}

/** One record: what was asked about first, then what is short. */
function detail(question: string, record: Fields): string {
  const words = new Set(plainWords(question).map(stem));
  const told = Object.entries(record).filter(([name, value]) => {
    return !/(^|_)id$|^number$/.test(name) && !titles.slice(0, 5).includes(name) && isTold(value);
  });
  const asked = ([name]: [string, unknown]) =>
    name.split('_').some((word) => words.has(stem(word)) || meant(word, words));
  const chosen = [...told.filter(asked), ...told.filter((each) => !asked(each))].slice(0, 9);
  const lines = chosen.map(([name, value]) => `- ${name.replaceAll('_', ' ')}: ${quotable(String(value))}`);
  return [`**${idOf(record)}** ${titleOf(record)}`.trim(), ...lines].join('\n');
}

function quotable(text: string): string {
  return withoutOrders(text).replace(/\s+/g, ' ').trim().slice(0, 600);
}

function meant(name: string, words: ReadonlySet<string>): boolean {
  return (name === 'assigned' && (words.has('who') || words.has('work'))) || (name === 'created' && words.has('when'));
}

function isTold(value: unknown): boolean {
  return (typeof value === 'string' && value !== '') || typeof value === 'number' || value === true;
}

function recordsIn(output: unknown): Fields[] {
  if (Array.isArray(output)) return output.filter(isObject).filter((each) => idOf(each) !== undefined);
  if (!isObject(output)) return [];
  for (const value of Object.values(output)) {
    if (Array.isArray(value) && value.some((each) => isObject(each) && idOf(each) !== undefined))
      return recordsIn(value);
  }
  if (idOf(output) !== undefined) return [output];
  const inner = Object.values(output).filter(isObject).map(recordsIn);
  return inner.find((each) => each.length > 0) ?? [];
}

function totalIn(output: unknown): number | undefined {
  if (typeof output === 'number') return output;
  if (!isObject(output)) return undefined;
  return ['total', 'count', 'total_count', 'matches']
    .map((name) => output[name])
    .find((each) => typeof each === 'number');
}

function idOf(record: Fields): string | undefined {
  const id = record.id ?? Object.entries(record).find(([name]) => /_id$/.test(name))?.[1];
  return typeof id === 'string' ? id : undefined;
}

function titleOf(record: Fields): string {
  const title = titles.map((name) => record[name]).find((each) => typeof each === 'string' && each !== '');
  return typeof title === 'string' ? title.slice(0, 200) : '';
}

function filterText(input: Fields): string {
  const said = Object.entries(input)
    .filter(([name]) => !/limit|sort|order|top_k|cursor/.test(name))
    .map(([name, value]) => `${name.replaceAll('_', ' ')}: ${value === null ? 'none' : [value].flat().join(', ')}`);
  return said.length > 0 ? ` (${said.join('; ')})` : '';
}

function failureText(output: unknown): string {
  const error = isObject(output) ? (output.error ?? output.message) : output;
  return typeof error === 'string' ? error : 'no reason was given.';
}

function unwrapped(output: unknown): unknown {
  return isObject(output) && Object.keys(output).length === 1 && 'result' in output ? output.result : output;
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
