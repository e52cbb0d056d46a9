// Formats tool results as an answer: how many records, which ones with their ids, and the fields of a single one. It begins
// with what a tool did not understand.
import type { Message } from '../../local/bedrock/converse.ts';
import { describeCall, describeField, describeOrder, type Fields, toKind } from './describe-call.ts';
import type { ToolCall } from './plan-tools.ts';
import { quote, removeInstructions } from './quote.ts';

export interface Result {
  call: ToolCall;
  failed: boolean;
  output: Fields;
}

const maxListed = 10;
const maxFields = 9;
const summaryFields = ['priority', 'state', 'status', 'type', 'class', 'risk'];

/** Returns the results of the last round with their calls. */
export function getLastResults(messages: readonly Message[]): Result[] {
  const [asking, answering] = messages.slice(-2);
  return (answering?.content ?? []).flatMap(({ toolResult }): Result[] => {
    const use = asking?.content.find(({ toolUse }) => toolUse && toolUse.toolUseId === toolResult?.toolUseId)?.toolUse;
    if (!use || !toolResult) return [];
    const output = toFields(toolResult.content[0]?.json);
    const call = { name: use.name, input: toFields(use.input) };
    return [{ call, failed: toolResult.status === 'error', output: toFields(output.result ?? output) }];
  });
}

export function isEmpty({ failed, output }: Result): boolean {
  return !failed && output.total === 0;
}

export function formatResults(question: string, results: readonly Result[]): string {
  return results.map((result) => formatResult(question, result)).join('\n\n');
}

function formatResult(question: string, { call: { name, input }, failed, output }: Result): string {
  const { total, by } = output;
  const kind = toKind(name).replaceAll('_', ' ');
  if (failed) return `Looking up ${kind} failed: ${String(output.error ?? 'unknown error')}`;
  if (Array.isArray(output.passages)) return formatPassages(output);
  if (typeof total !== 'number') return formatRecord(question, output);
  const unknown = [output.not_understood ?? []].flat().map((each) => `I did not understand: ${each}.`);
  const filters = dropUnknownNames(input, unknown, total);
  const { text: _, ...others } = filters;
  const isSimilar = output.similar_to !== undefined;
  const shown = isSimilar ? { ...others, similar_to: output.similar_to } : filters;
  const found = describeCall(name, shown, total, toFields(output.resolved));
  if (total === 0) {
    const more = toFieldsList(output.without).map(
      (each) => `${each.total} without the filter for the ${describeField(String(each.filter))}`,
    );
    const hint = more.length > 0 ? [`There are more ${kind}: ${more.join(', ')}.`] : [];
    return [...unknown, `No ${found}.`, ...hint].join('\n');
  }
  const counts = toFieldsList(output.counts).map((group) => {
    const parts = toFieldsList(group.counts).map((part) => formatGroup(part, input.then_by));
    return `- ${formatGroup(group, by)}${parts.length > 0 ? ` (${parts.join(', ')})` : ''}`;
  });
  const listed = toFieldsList(output.records)
    .slice(0, maxListed)
    .map((record) => [formatListed(record), ...formatDetails(question, record, total)].join('\n'));
  const rest = total - listed.length;
  const more = listed.length > 0 && rest > 0 ? [`… and ${rest} more.`] : [];
  const share = more.length > 0 && input.limit !== undefined ? `${listed.length} of ` : '';
  const order = listed.length > 1 ? describeOrder(input) : '';
  const groups = counts.length > 0 && input.limit !== undefined ? `, the ${counts.length} largest groups` : '';
  const ending = counts.length + listed.length > 0 ? ':' : '.';
  const isMixed = typeof output.open === 'number' && output.open < total && share === '';
  const open = isMixed ? `, ${output.open || 'none'} of them open` : '';
  const similar = isSimilar ? [`No ${kind} mention "${output.similar_to}"; these are similar.`] : [];
  const summary = `${share}${total} ${found}${order}${groups}${open}${ending}`;
  return [...unknown, ...similar, summary, ...counts, ...listed, ...more].join('\n');
}

function formatGroup({ value, count }: Fields, by: unknown): string {
  const group = value === null ? `no ${describeField(String(by))}` : String(value).replaceAll('_', ' ');
  return `${group}: ${count}`;
}

/** A tool ignores a name that it cannot resolve, or searches for its words. An empty result still shows the name. */
function dropUnknownNames(input: Fields, unknown: readonly string[], total: number): Fields {
  return Object.fromEntries(
    Object.entries(input).flatMap(([name, value]) => {
      const quoted = value === 'my_team' ? 'your team' : `"${String(value)}"`;
      const reason = unknown.find((each) => each.includes(quoted));
      if (reason?.includes('searched for')) return [['text', value]];
      return reason === undefined || total === 0 ? [[name, value]] : [];
    }),
  );
}

const nothingFound =
  'I did not understand the question, and the knowledge base does not seem to answer it. I can look up incidents, changes, ' +
  'requests and configuration items, for example "open P1 incidents of my team" or "changes this week".';

function formatPassages({ passages, tier }: Fields): string {
  const documents = toFieldsList(passages).map(({ id, title, relevance, text }, part) => ({
    source: String(id),
    kind: 'article',
    title: String(title),
    part,
    relevance: Number(relevance),
    text: String(text),
  }));
  const quotation = quote(documents);
  if (!quotation) return nothingFound;
  const introduction = tier === 'high' ? '' : 'Closest match, may not answer exactly:\n\n';
  return `${introduction}${quotation.text}\n\n(${quotation.sources.join(', ')})`;
}

function formatListed(record: Fields): string {
  const values = summaryFields.flatMap((name) => record[name] ?? []).map((value) => String(value).replaceAll('_', ' '));
  return `- ${formatHeading(record)}${values.length > 0 ? ` (${values.join(', ')})` : ''}`;
}

const maxDetailed = 3;

/** Shows all fields of a single record, and the requested fields of up to three. */
function formatDetails(question: string, record: Fields, total: number): string[] {
  if (total > maxDetailed) return [];
  const hidden = [...summaryFields, 'id', 'short_description', 'name', 'created_at'];
  const fields = Object.entries(record).filter(([name, value]) => typeof value === 'string' && !hidden.includes(name));
  const shown = total === 1 ? fields : fields.filter(([name]) => isAsked(question, name));
  return shown.map(([name, value]) => `  - ${name.replaceAll('_', ' ')}: ${value}`);
}

/** Fields that a question word asks for. */
const questionFields: readonly (readonly [question: RegExp, field: RegExp])[] = [
  [/\b(who|whose|works)\b/i, /^(assigned_to|owner|decision_by|requested_for)$/],
  [/\bwhere\b/i, /^location$/],
  [/\bwhen\b/i, /^(planned_start|planned_end|sla_breach_at)$/],
];

function isAsked(question: string, field: string): boolean {
  const words: readonly string[] = question.toLowerCase().match(/\p{L}+/gu) ?? [];
  const isNamed = field.split('_').some((word) => words.includes(word));
  return isNamed || questionFields.some(([pattern, fields]) => fields.test(field) && pattern.test(question));
}

/** Shows the requested fields first. */
function formatRecord(question: string, record: Fields): string {
  const fields = Object.entries(record).filter(
    ([name, value]) =>
      !/^(id|number|short_description|name)$/.test(name) && /^(string|number)$/.test(typeof value) && value !== '',
  );
  const rank = ([name]: [string, unknown]) => Number(!isAsked(question, name));
  const chosen = fields.sort((a, b) => rank(a) - rank(b)).slice(0, maxFields);
  const lines = chosen.map(([name, value]) => {
    const text = removeInstructions(String(value)).replace(/\s+/g, ' ');
    return `- ${name.replaceAll('_', ' ')}: ${text.slice(0, 600)}`;
  });
  return [formatHeading(record), ...lines].join('\n');
}

function formatHeading({ id, short_description, title, name }: Fields): string {
  return `**${id}** ${String(short_description ?? title ?? name ?? '').slice(0, 200)}`.trim();
}

function toFields(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

function toFieldsList(values: unknown): Fields[] {
  return Array.isArray(values) ? values.map(toFields) : [];
}
