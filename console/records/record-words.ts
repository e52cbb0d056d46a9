import { formatTime } from '../ui/time.ts';

/** What the console calls the fields and values of a kind of record. */
export interface RecordWords {
  /** What one record is called. */
  thing: string;
  fields: Readonly<Record<string, string>>;
  /** The names of the values of fields that have few. */
  values: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** Also of fields that only the history knows. */
export function formatFieldName({ fields }: RecordWords, field: string): string {
  if (fields[field]) return fields[field];
  const words = field.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A value as the console shows it in one line. */
export function formatValue({ values }: RecordWords, field: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return '–';
  const named = values[field]?.[String(value)];
  if (named) return named;
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) return formatTime(value);
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (Array.isArray(value)) return value.map(formatText).join(', ') || '–';
  return formatText(value);
}

/** Small objects, such as a relation, are known by their values. */
function formatText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  if (Object.keys(value).length === 0) return '–';
  const parts = Object.values(value);
  return parts.every((part) => typeof part === 'string') && parts.length < 3 ? parts.join(' ') : JSON.stringify(value);
}

export interface HistoryWords {
  thing: string;
  fieldName(field: string): string;
  valueText(field: string, value: unknown): string;
  /** What the service set at the creation says nothing that the entry itself does not. */
  computed: readonly string[];
}

/** The words of a kind of record for its history. */
export function toHistoryWords(words: RecordWords, computed: readonly string[]): HistoryWords {
  return {
    thing: words.thing,
    fieldName: (field) => formatFieldName(words, field),
    valueText: (field, value) => formatValue(words, field, value),
    computed,
  };
}
