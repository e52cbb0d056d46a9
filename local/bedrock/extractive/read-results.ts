// Puts the results of tools into words: how many there are, which ones with their ids, and what a single one says. Nothing
// is said that is not in a result, and what a tool did not understand is said first.
import type { Message } from '../converse.ts';
import { describe, describeField, describeOrder, toKind } from './describe.ts';
import type { ToolCall } from './plan-tools.ts';
import { quote, withoutOrders } from './quote.ts';

export interface Result {
  call: Readonly<ToolCall>;
  failed: boolean;
  output: Fields;
}

type Fields = Readonly<Record<string, unknown>>;

const maxListed = 10;
const maxFields = 9;
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
  const { name, input } = call;
  const { total, by } = output;
  const kind = toKind(name).replaceAll('_', ' ');
  if (failed) return `Looking up ${kind} failed: ${String(output.error ?? 'no reason was given.')}`;
  if (Array.isArray(output.passages)) return readPassages(output);
  if (typeof total !== 'number') return describeRecord(question, output);
  const unknown = [output.not_understood ?? []].flat().map((each) => `I did not understand: ${each}.`);
  const what = describe(name, withoutUnknown(input, unknown, total), total, toFields(output.meant));
  if (total === 0) {
    const others = listFields(output.without).map(
      ({ filter, total: more }) => `${more} without the filter for the ${describeField(String(filter))}`,
    );
    const hint = others.length > 0 ? [`There are more ${kind}: ${others.join(', ')}.`] : [];
    return [...unknown, `No ${what}.`, ...hint].join('\n');
  }
  const counts = listFields(output.counts).map(({ value, count }) => {
    const said = value === null ? `no ${describeField(String(by))}` : String(value).replaceAll('_', ' ');
    return `- ${said}: ${count}`;
  });
  const listed = listFields(output.records).slice(0, maxListed).map(toLine);
  const rest = total - listed.length;
  const more = listed.length > 0 && rest > 0 ? [`… and ${rest} more.`] : [];
  const share = rest > 0 && input.limit !== undefined ? `${listed.length} of ` : '';
  const order = listed.length > 1 ? describeOrder(input) : '';
  const ending = counts.length + listed.length > 0 ? ':' : '.';
  return [...unknown, `${share}${total} ${what}${order}${ending}`, ...counts, ...listed, ...more].join('\n');
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

const nothingFound =
  'I did not understand the question, and the knowledge base does not seem to answer it. I can look up incidents, changes, ' +
  'requests and configuration items, for example "open P1 incidents of my team" or "changes this week".';

function readPassages({ passages, tier }: Fields): string {
  const documents = listFields(passages).map((each, part) => ({
    source: String(each.id),
    kind: 'article',
    title: String(each.title),
    part,
    relevance: Number(each.relevance),
    text: String(each.text),
  }));
  const quotation = quote(documents);
  if (!quotation) return nothingFound;
  const isSure = tier === 'high';
  return `${isSure ? '' : 'Closest match, may not answer exactly:\n\n'}${quotation.text}\n\n(${quotation.sources.join(', ')})`;
}

function toLine(record: Fields): string {
  const said = marks.flatMap((name) => (typeof record[name] === 'string' ? [record[name].replaceAll('_', ' ')] : []));
  return `- ${toHeading(record)}${said.length > 0 ? ` (${said.join(', ')})` : ''}`;
}

/** One record: the asked fields first. */
function describeRecord(question: string, record: Fields): string {
  const words: readonly string[] = question.toLowerCase().match(/\p{L}+/gu) ?? [];
  const isAsked = ([name]: [string, unknown]) =>
    name.split('_').some((word) => words.includes(word)) ||
    (name === 'assigned_to' && /\b(who|works)\b/i.test(question));
  const fields = Object.entries(record).filter(
    ([name, value]) =>
      !/^(id|number|short_description|name)$/.test(name) && /^(string|number)$/.test(typeof value) && value !== '',
  );
  const chosen = [...fields.filter(isAsked), ...fields.filter((field) => !isAsked(field))].slice(0, maxFields);
  const lines = chosen.map(([name, value]) => {
    const text = withoutOrders(String(value)).replace(/\s+/g, ' ').trim();
    return `- ${name.replaceAll('_', ' ')}: ${text.slice(0, 600)}`;
  });
  return [toHeading(record), ...lines].join('\n');
}

function toHeading({ id, short_description, title, name }: Fields): string {
  return `**${id}** ${String(short_description ?? title ?? name ?? '').slice(0, 200)}`.trim();
}

function toFields(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

function listFields(values: unknown): Fields[] {
  return Array.isArray(values) ? values.map(toFields) : [];
}
