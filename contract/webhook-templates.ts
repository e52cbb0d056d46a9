import * as z from 'zod';

// Template grammar of inbound webhooks. A template is text with placeholders such as
// `{{labels.host | default:"unknown" | upper}}`: a path and any number of filters. `[*]` joins the values of all items of a list. There are no expressions, loops or
// calls, so templates execute no code.

export type TemplateFilter =
  | { name: 'default'; text: string }
  | { name: 'default'; path: TemplatePath }
  | { name: 'upper' }
  | { name: 'lower' }
  | { name: 'truncate'; characters: number }
  | { name: 'map'; values: Readonly<Record<string, string>> };

/** Keys, array indexes and `eachItem`. An empty path is the whole payload. */
export type TemplatePath = readonly (string | number)[];

/** The step `[*]`: every item of a list. No key looks like this, because names contain no brackets. */
export const eachItem = '[*]';

export interface TemplatePlace {
  path: TemplatePath;
  filters: readonly TemplateFilter[];
}

export type TemplatePart = string | TemplatePlace;

/** `position` is the 1-based character position in the template. */
export interface TemplateProblem {
  position: number;
  message: string;
}

export const maxTemplateLength = 4_000;

export const maxTruncation = 32_000;

export function parseTemplate(template: string): { parts: TemplatePart[] } | { problem: TemplateProblem } {
  if (barePath.test(template.trim())) {
    return { parts: [{ path: parsePath(template.trim()), filters: [] }] };
  }
  try {
    return { parts: [...parseParts(template)] };
  } catch (error) {
    if (error instanceof TemplateSyntaxError) return { problem: error.problem };
    throw error;
  }
}

export const template = (description: string) =>
  z
    .string()
    .min(1)
    .max(maxTemplateLength)
    .superRefine((value, context) => {
      const parsed = parseTemplate(value);
      if (!('problem' in parsed)) return;
      const { position, message } = parsed.problem;
      context.addIssue({ code: 'custom', message: `is not a valid template: at position ${position}, ${message}` });
    })
    .meta({ description, examples: ['{{alert.name | truncate:255}}'] });

/** Names may contain any character without a special meaning. */
const name = String.raw`[^\s.[\]{}|"]+`;
const place = String.raw`\[(?:\d{1,6}|\*)\]`;
const steps = `${name}(?:${place})*(?:\\.${name}(?:${place})*)*`;
const barePath = new RegExp(String.raw`^\$(?:\.${steps}|(?:${place})+(?:\.${steps})?)$`, 'u');
const path = new RegExp(String.raw`(?:\$(?:\.${steps}|(?:${place})+(?:\.${steps})?)?|${steps})`, 'uy');

const space = /\s*/uy;
const word = /[\w-]+/uy;
const quoted = /"(?:[^"\\]|\\["\\])*"/uy;
const digits = /\d+/uy;

class TemplateSyntaxError extends Error {
  readonly problem: TemplateProblem;

  constructor(template: string, index: number, message: string) {
    super(message);
    this.problem = { position: [...template.slice(0, index)].length + 1, message };
  }
}

function* parseParts(template: string): Generator<TemplatePart> {
  let index = 0;
  while (index < template.length) {
    const open = template.indexOf('{{', index);
    if (open < 0) {
      yield template.slice(index);
      return;
    }
    if (open > index) yield template.slice(index, open);
    const reader = new Reader(template, open + 2);
    yield readPlace(reader, open);
    index = reader.index;
  }
}

/** Reads one template from left to right. */
class Reader {
  readonly template: string;
  index: number;

  constructor(template: string, index: number) {
    this.template = template;
    this.index = index;
  }

  take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.index;
    const found = pattern.exec(this.template)?.[0];
    if (found !== undefined) this.index += found.length;
    return found;
  }

  takeText(text: string): boolean {
    this.take(space);
    const there = this.template.startsWith(text, this.index);
    if (there) this.index += text.length;
    return there;
  }

  mistake(message: string, index = this.index): TemplateSyntaxError {
    return new TemplateSyntaxError(this.template, index, message);
  }
}

function readPlace(reader: Reader, open: number): TemplatePlace {
  reader.take(space);
  const found = reader.take(path);
  if (found === undefined) throw reader.mistake('a path such as a.b[0].c must follow {{');
  const filters: TemplateFilter[] = [];
  while (!reader.takeText('}}')) {
    if (reader.index >= reader.template.length) throw reader.mistake('{{ is not closed by }}', open);
    if (!reader.takeText('|')) throw reader.mistake('only | and a filter, or }}, may follow');
    filters.push(readFilter(reader));
  }
  return { path: parsePath(found), filters };
}

function readFilter(reader: Reader): TemplateFilter {
  reader.take(space);
  const start = reader.index;
  const filter = reader.take(word);
  switch (filter) {
    case 'upper':
    case 'lower':
      return { name: filter };
    case 'default':
      return readDefault(reader, filter);
    case 'map':
      return { name: filter, values: readMap(reader) };
    case 'truncate':
      return { name: filter, characters: readNumber(reader) };
    default:
      throw reader.mistake(
        `${filter === undefined ? 'a filter' : `"${filter}"`} must be one of default, upper, lower, truncate, map`,
        start,
      );
  }
}

/** A text, or another path of the payload, which begins with `$`. */
function readDefault(reader: Reader, name: 'default'): TemplateFilter {
  const start = reader.index;
  if (reader.takeText(':') && reader.takeText('$')) {
    reader.index--;
    const found = reader.take(path);
    if (found !== undefined) return { name, path: parsePath(found) };
  }
  reader.index = start;
  return { name, text: readText(reader, name) };
}

function readText(reader: Reader, filter: string): string {
  if (!reader.takeText(':')) throw reader.mistake(`${filter} needs a quoted string: ${filter}:"…"`);
  reader.take(space);
  const text = reader.take(quoted);
  if (text === undefined) throw reader.mistake(`${filter} needs a quoted string: ${filter}:"…"`);
  return text.slice(1, -1).replace(/\\(["\\])/g, '$1');
}

function readNumber(reader: Reader): number {
  if (!reader.takeText(':')) throw reader.mistake('truncate needs a number: truncate:255');
  reader.take(space);
  const start = reader.index;
  const characters = Number(reader.take(digits) ?? Number.NaN);
  if (characters >= 1 && characters <= maxTruncation) return characters;
  throw reader.mistake(`truncate needs a number from 1 to ${maxTruncation}`, start);
}

function readMap(reader: Reader): Record<string, string> {
  const start = reader.index;
  const pairs = readText(reader, 'map')
    .split(',')
    .map((pair) => {
      const mark = pair.indexOf('=');
      if (mark < 1) throw reader.mistake('map needs pairs: map:"crit=P1,warn=P2"', start);
      return [pair.slice(0, mark).trim(), pair.slice(mark + 1).trim()];
    });
  return Object.fromEntries(pairs);
}

/** A leading `$` or `payload` refers to the payload itself. */
function parsePath(found: string): (string | number)[] {
  const all = found
    .split('.')
    .flatMap((part) => {
      const [first, ...places] = part.split('[');
      return [first ?? '', ...places.map((inner) => (inner === '*]' ? eachItem : Number(inner.slice(0, -1))))];
    })
    .filter((step) => step !== '');
  return all[0] === '$' || all[0] === 'payload' ? all.slice(1) : all;
}
