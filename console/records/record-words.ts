import { formatTime } from '../ui/time.ts';

/** The labels of the fields and values of a kind of record. */
export interface RecordWords {
  /** The name of one record. */
  thing: string;
  fields: Readonly<Record<string, string>>;
  /** The labels of enum values, by field. */
  values: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** Falls back to the field's own name, which the history needs for internal fields. */
export function formatFieldName({ fields }: RecordWords, field: string): string {
  if (fields[field]) return fields[field];
  const words = field.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Formats a value in one line. */
export function formatValue({ values }: RecordWords, field: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return '–';
  const named = values[field]?.[String(value)];
  if (named) return named;
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) return formatTime(value);
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (Array.isArray(value)) return value.map((entry) => formatText(entry, values)).join(', ') || '–';
  return formatText(value, values);
}

/** Shows small objects, such as a relation, by their values, and larger ones with their names. */
function formatText(value: unknown, values: RecordWords['values']): string {
  if (Array.isArray(value)) return value.map((entry) => formatText(entry, values)).join(', ');
  if (typeof value !== 'object' || value === null) return String(value ?? '–');
  const entries = Object.entries(value).map(([name, inner]) => {
    return { name, text: values[name]?.[String(inner)] ?? formatText(inner, values) };
  });
  if (entries.length === 0) return '–';
  const isSmall = entries.length < 3 && Object.values(value).every((inner) => typeof inner === 'string');
  return isSmall
    ? entries.map(({ text }) => text).join(' ')
    : entries.map(({ name, text }) => `${name}: ${text}`).join(', ');
}

export interface HistoryWords {
  thing: string;
  fieldName(field: string): string;
  valueText(field: string, value: unknown): string;
  /** Fields that the service sets on creation and the history omits. */
  computed: readonly string[];
}

/** Converts the labels of a kind of record for its history. */
export function toHistoryWords(words: RecordWords, computed: readonly string[]): HistoryWords {
  return {
    thing: words.thing,
    fieldName: (field) => formatFieldName(words, field),
    valueText: (field, value) => formatValue(words, field, value),
    computed,
  };
}
