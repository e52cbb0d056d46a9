// Puts the results of tools into words: how many there are, which ones with their ids, and what a single one says. Nothing
// is said that is not in a result, and what a tool did not understand is said first.
import type { Message } from '../converse.ts';
import { toKind } from './choose-kind.ts';
import { describe, describeField, describeOrder } from './describe.ts';
import type { ToolCall } from './plan-tools.ts';
import { quote, withoutOrders } from './quote.ts';

export interface Result {
  call: Readonly<ToolCall>;
  failed: boolean;
  output: Fields;
}

type Fields = Readonly<Record<string, unknown>>;

const maxListed = 10;
const marks = ['priority', 'state', 'status', 'type', 'class', 'risk'];

/** The results of the last round, with the calls that they answer. */
export function lastResults(messages: readonly Message[]): Result[] {
  const [asking, answering] = messages.slice(-2);
  return (answering?.content ?? []).flatMap(({ toolResult }): Result[] => {
    const use = asking?.content.find(({ toolUse }) => toolUse && toolUse.toolUseId === toolResult?.toolUseId)?.toolUse;
    if (!use || !toolResult) return [];
    const output = toFields(toolResult.content[0]?.json);
    const call = { name: use.name, input: toFields(use.input) };
    return [{ call, failed: toolResult.status === 'error', output: toFields(output.result ?? output) }];
  });
}

/** Whether a search for words found nothing. */
export function isEmpty({ failed, output }: Result): boolean {
  return !failed && output.total === 0;
}

export function readResults(question: string, results: readonly Result[]): string {
  return results.map((result) => readResult(question, result)).join('\n\n');
}

function readResult(question: string, { call, failed, output }: Result): string {
  const kind = toKind(call.name).replaceAll('_', ' ');
  if (failed) return `Looking up ${kind} failed: ${String(output.error ?? 'no reason was given.')}`;
  if (Array.isArray(output.passages)) return readPassages(output);
  const records = (Array.isArray(output.records) ? output.records : []).filter(isFields);
  if (typeof output.total !== 'number') return detail(question, output);
  const unknown = Array.isArray(output.not_understood)
    ? output.not_understood.map((each) => `I did not understand: ${each}.`)
    : [];
  const what = describe(
    call.name,
    withoutUnknown(call.input, unknown, output.total),
    output.total,
    toFields(output.meant),
  );
  const counts = Array.isArray(output.counts)
    ? output.counts.filter(isFields).map((each) => countLine(each, output.by))
    : [];
  const listed = records.slice(0, maxListed).map((record) => `- ${line(record)}`);
  const rest = output.total - listed.length;
  const more = listed.length > 0 && rest > 0 ? [`… and ${rest} more.`] : [];
  if (output.total === 0) return [...unknown, `No ${what}.`, ...describeWithout(call.name, output.without)].join('\n');
  const ending = counts.length + listed.length > 0 ? ':' : '.';
  const share = rest > 0 && typeof call.input.limit === 'number' ? `${listed.length} of ` : '';
  const order = listed.length > 1 ? describeOrder(call.input) : '';
  return [...unknown, `${share}${output.total} ${what}${order}${ending}`, ...counts, ...listed, ...more].join('\n');
}

/** A name that the tool could not resolve is no filter of the result, unless nothing was found or its words were searched for. */
function withoutUnknown(input: Fields, unknown: readonly string[], total: number): Fields {
  return Object.fromEntries(
    Object.entries(input).flatMap(([name, value]) => {
      const said = value === 'my_team' ? 'your team' : `"${String(value)}"`;
      const reason = unknown.find((each) => each.includes(said));
      if (reason === undefined) return [[name, value]];
      if (reason.includes('searched for')) return [['text', value]];
      return total === 0 ? [[name, value]] : [];
    }),
  );
}

/** What there would be without one of the filters. */
function describeWithout(name: string, without: unknown): string[] {
  const others = (Array.isArray(without) ? without : []).filter(isFields);
  if (others.length === 0) return [];
  const kind = toKind(name).replaceAll('_', ' ');
  const parts = others.map(
    ({ filter, total }) => `${String(total)} without the filter for the ${describeField(String(filter))}`,
  );
  return [`There are more ${kind}: ${parts.join(', ')}.`];
}

function readPassages({ passages, tier }: Fields): string {
  const documents = (passages as unknown[]).filter(isFields).map((each, part) => ({
    source: String(each.id),
    kind: 'article',
    title: String(each.title),
    part,
    relevance: Number(each.relevance),
    text: String(each.text),
  }));
  const quotation = quote(documents);
  if (!quotation) return 'The knowledge base does not seem to answer this question.';
  const isSure = tier === 'high';
  return `${isSure ? '' : 'Closest match, may not answer exactly:\n\n'}${quotation.text}\n\n(${quotation.sources.join(', ')})`;
}

function countLine({ value, count }: Fields, by: unknown): string {
  const name = value === null ? `no ${describeField(String(by ?? 'value'))}` : String(value).replaceAll('_', ' ');
  return `- ${name}: ${String(count)}`;
}

function line(record: Fields): string {
  const said = marks.flatMap((name) => (typeof record[name] === 'string' ? [record[name].replaceAll('_', ' ')] : []));
  return `**${String(record.id)}** ${titleOf(record)}${said.length > 0 ? ` (${said.join(', ')})` : ''}`;
}

/** One record: the asked fields first. */
function detail(question: string, record: Fields): string {
  const words = new Set(question.toLowerCase().match(/\p{L}+/gu) ?? []);
  const isAsked = (name: string) =>
    name.split('_').some((word) => words.has(word)) ||
    (name === 'assigned_to' && (words.has('who') || words.has('works')));
  const fields = Object.entries(record).filter(([name, value]) => {
    return (
      !/^(id|number|short_description|name)$/.test(name) &&
      (typeof value === 'number' || (typeof value === 'string' && value !== ''))
    );
  });
  const chosen = [...fields.filter(([name]) => isAsked(name)), ...fields.filter(([name]) => !isAsked(name))].slice(
    0,
    9,
  );
  const lines = chosen.map(([name, value]) => `- ${name.replaceAll('_', ' ')}: ${toLine(String(value))}`);
  return [`**${String(record.id)}** ${titleOf(record)}`.trim(), ...lines].join('\n');
}

function toLine(text: string): string {
  return withoutOrders(text).replace(/\s+/g, ' ').trim().slice(0, 600);
}

function titleOf({ short_description, title, name }: Fields): string {
  return String(short_description ?? title ?? name ?? '').slice(0, 200);
}

function toFields(value: unknown): Fields {
  return isFields(value) ? value : {};
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
