import type { Filter } from '../../resources/webhook-words.ts';

// Filters as users type them. A value that parses as JSON is JSON, anything else is text: P1 needs no quotes, and 5 is a
// number.

export interface FilterDraft {
  field: string;
  operator: Filter['operator'];
  value: string;
}

export const emptyFilter: FilterDraft = { field: '', operator: 'eq', value: '' };

export function toFilterDraft({ field, operator, value }: Filter): FilterDraft {
  const list = operator === 'in' || operator === 'nin';
  const texts = list && Array.isArray(value) ? value.map(formatText) : undefined;
  const plain = texts?.every((text) => text !== '' && text.trim() === text && !/[,"[\]{}]/.test(text));
  return { field, operator, value: texts && plain ? texts.join(', ') : formatText(value) };
}

export function toFilter({ field, operator, value }: FilterDraft): Filter {
  return { field: field.trim(), operator, value: parseOperand(operator, value) } as Filter;
}

function parseOperand(operator: Filter['operator'], text: string): unknown {
  const value = read(text);
  if (operator === 'exists') return text.trim() === '' ? true : value;
  if (operator === 'starts_with' || operator === 'ends_with') return typeof value === 'string' ? value : text;
  if ((operator !== 'in' && operator !== 'nin') || Array.isArray(value)) return value;
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map(read);
}

function read(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Quotes text that would parse as another type. */
function formatText(value: unknown): string {
  return typeof value === 'string' && read(value) === value ? value : JSON.stringify(value);
}
