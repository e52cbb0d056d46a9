import { ciKind } from '../../resources/ci-words.ts';

// Parses a table pasted from a spreadsheet or CSV file: a header row, then one row per item.

/** The fields of a single value. */
const fields = ciKind.fields.filter(({ kind }) => kind !== 'relations' && kind !== 'json').map(({ name }) => name);

export type PastedItem = Readonly<Record<string, string>>;

/** Throws when the table is malformed; the service validates the values. */
export function parseItems(text: string): PastedItem[] {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  const separator = ['\t', ';', ','].find((one) => lines[0]?.includes(one)) ?? ',';
  const [head = [], ...rows] = lines.map((line) => parseCells(line, separator));
  const names = head.map((name) => name.toLowerCase().replace(/\s+/g, '_'));
  const unknown = names.filter((name) => !fields.includes(name));
  if (unknown.length > 0)
    throw new Error(`Unknown fields in the header row: ${unknown.join(', ')}. Supported fields: ${fields.join(', ')}.`);
  if (!names.includes('name') || !names.includes('class'))
    throw new Error('The header row must include name and class.');
  return rows.map((cells, index) => {
    if (cells.length > names.length)
      throw new Error(`Row ${index + 2} has more values than the header row has fields.`);
    return Object.fromEntries(cells.flatMap((cell, place) => (cell === '' ? [] : [[names[place] ?? '', cell]])));
  });
}

/** Quotes enclose separators; a doubled quote is a literal quote. */
function parseCells(line: string, separator: string): string[] {
  const cells: string[] = [];
  let cell = '';
  let quoted = false;
  for (let place = 0; place < line.length; place++) {
    const character = line.charAt(place);
    if (character === '"' && quoted && line[place + 1] === '"') cell += line[++place];
    else if (character === '"') quoted = !quoted;
    else if (character !== separator || quoted) cell += character;
    else {
      cells.push(cell.trim());
      cell = '';
    }
  }
  return [...cells, cell.trim()];
}
