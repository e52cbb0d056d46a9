import { parseTemplate, type TemplateFilter } from '../../contract/webhook-templates.ts';
import { valueAt } from '../webhooks/field-path.ts';

// What a template makes of a payload. It reads own properties of plain JSON and joins texts; the grammar (see
// contract/webhook-templates.ts) has nothing that could do more. It never throws, whatever the payload is.

/** Longer than any field may be, so that what is cut here is refused anyway. */
const longestText = 100_000;

export function render(template: string, payload: unknown): string {
  const parsed = parseTemplate(template);
  // Templates are checked before they are stored, so this is an old one under newer rules: it has no value.
  if ('problem' in parsed) return '';
  let text = '';
  for (const part of parsed.parts) {
    text += typeof part === 'string' ? part : filtered(textOf(valueAt(payload, part.path)), part.filters);
    if (text.length >= longestText) return text.slice(0, longestText);
  }
  return text;
}

function filtered(text: string, filters: readonly TemplateFilter[]): string {
  return filters.reduce(apply, text);
}

function apply(value: string, filter: TemplateFilter): string {
  switch (filter.name) {
    case 'default':
      return value === '' ? filter.text : value;
    case 'upper':
      return value.toUpperCase();
    case 'lower':
      return value.toLowerCase();
    case 'truncate':
      return truncated(value, filter.characters);
    case 'map':
      // What the map does not know is empty, so that a default can follow.
      return Object.hasOwn(filter.values, value) ? filter.values[value]! : '';
  }
}

/** Counted as a reader counts, so that no character is cut in two. */
function truncated(text: string, characters: number): string {
  if (text.length <= characters) return text;
  return [...text.slice(0, 2 * characters)].slice(0, characters).join('');
}

/** Missing and null are empty; lists and objects are written as JSON. */
function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  const text = typeof value === 'object' ? (JSON.stringify(value) ?? '') : String(value);
  return text.slice(0, longestText);
}
