import { formatPerson, isAddress } from '../ui/person.ts';
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
  return fields[field] ?? toWords(field);
}

function toWords(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The labels of values that are words. */
export function nameValues<Value extends string>(values: readonly Value[]): Readonly<Record<Value, string>> {
  return Object.fromEntries(values.map((value) => [value, toWords(value)])) as Record<Value, string>;
}

/** Formats a value in one line. */
export function formatValue({ values }: RecordWords, field: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return '–';
  const named = values[field]?.[String(value)];
  if (named) return named;
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) return formatTime(value);
  if (typeof value === 'string' && isAddress(value)) return formatPerson(value);
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (Array.isArray(value)) return value.map((entry) => formatText(entry, values)).join(', ') || '–';
  return formatText(value, values);
}

/** Shows small objects, such as a link, by their values, and larger ones with their names. The entry says when and who. */
function formatText(value: unknown, values: RecordWords['values']): string {
  if (Array.isArray(value)) return value.map((entry) => formatText(entry, values)).join(', ');
  if (typeof value !== 'object' || value === null) return String(value ?? '–');
  const told = Object.entries(value).filter(([name]) => name !== 'at' && name !== 'by');
  const entries = told.map(([name, inner]) => {
    const word = name === 'type' && typeof inner === 'string' ? toWords(inner) : formatText(inner, values);
    return { name, text: values[name]?.[String(inner)] ?? word };
  });
  if (entries.length === 0) return '–';
  const isSmall = entries.length < 3 && told.every(([, inner]) => typeof inner === 'string');
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
