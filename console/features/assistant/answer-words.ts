import { formatDuration } from '../../ui/time.ts';

export interface Answered {
  question: string;
  answer: string;
  /** Only with questions to the knowledge base. */
  confidence?: number;
  citations: FoundArticle[];
  /** Only with questions to the knowledge base. */
  related?: FoundArticle[];
  records?: { type: string; id: string; title: string }[];
  /** Paths of the API that list the same records. */
  lists?: string[];
  tools_used?: { name: string; input: Record<string, unknown> }[];
  model_used: string;
  tokens_used: number;
  latency_ms: number;
  cache_hit: boolean;
  cache?: { matched?: string | undefined; similarity: number; age_seconds: number } | undefined;
}

export interface FoundArticle {
  article_id: string;
  title: string;
  relevance: number;
}

/** The records that the answer does not name; it links to the others. */
export function listOtherRecords({ answer, records = [] }: Pick<Answered, 'answer' | 'records'>) {
  return records.filter(({ id }) => !answer.includes(id));
}

interface Figures {
  title: string;
  labels: string[];
  values: number[];
  /** Whether the values are minutes. */
  areDurations: boolean;
}

/** The names and numbers of the first table, to draw them; undefined if there is no such table. */
export function findFigures(answer: string): Figures | undefined {
  const [, head = '', body = ''] = /^(\|.*\|)\n\|[ |-]+\|\n((?:\|.*\|(?:\n|$))+)/m.exec(answer) ?? [];
  const parseRow = (line: string) => line.split('|').map((cell) => cell.trim());
  const rows = body.trim().split('\n').map(parseRow);
  const [, name, figure] = parseRow(head);
  const cells = rows.map(([, , cell = '']) => cell);
  const areDurations = cells.some((cell) => cell.endsWith('min'));
  const values = cells.map(areDurations ? parseMinutes : (cell) => Number(cell.replaceAll(',', '') || Number.NaN));
  if (rows.length < minBars || values.some(Number.isNaN)) return undefined;
  return { title: `${figure} by ${name}`, labels: rows.map(([, label = '']) => label), values, areDurations };
}

const minBars = 2;

/** `41 h 21 min` */
function parseMinutes(text: string): number {
  const [, hours, minutes] = /^(?:(\d+) h ?)?(?:(\d+) min)?$/.exec(text) ?? [];
  return hours === undefined && minutes === undefined ? Number.NaN : Number(hours ?? 0) * 60 + Number(minutes ?? 0);
}

/** search {kind: 'incidents', priority: ['P1'], not: {category: ['email']}} as search (kind incidents, priority P1, not category email). */
export function formatQuery({ name, input }: { name: string; input: Record<string, unknown> }): string {
  const plain = (text: string) => text.replaceAll('_', ' ');
  const given = Object.entries(input).map(([key, value]) => `${plain(key)} ${plain(formatInput(value))}`);
  return given.length > 0 ? `${plain(name)} (${given.join(', ')})` : plain(name);
}

function formatInput(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value ?? 'none');
  if (Array.isArray(value)) return value.join(' or ');
  return Object.entries(value)
    .map(([key, each]) => `${key} ${formatInput(each)}`)
    .join(', ');
}

/** The tier already shows the confidence of an answer with citations. */
export function formatCost({ confidence, citations, model_used, tokens_used, latency_ms, cache }: Answered): string {
  const sure = confidence === undefined || citations.length > 0 ? '' : `Confidence ${Math.round(confidence * 100)}%, `;
  const took = `${sure}${model_used}, ${tokens_used} tokens, ${latency_ms} ms`;
  if (!cache) return took;
  const source = cache.matched === undefined ? 'cached answer' : `cached answer to “${cache.matched}”`;
  return `${took}; ${source}, ${formatDuration(cache.age_seconds * 1000)} old`;
}
