// CSV as spreadsheets and exports write it (RFC 4180): quotes, line breaks inside of quotes, any line ending.

export function parseCsv(text: string): Record<string, string>[] {
  const [head = [], ...rows] = parseRows(text.replace(/^\uFEFF/, ''));
  return rows
    .filter((row) => row.some((cell) => cell !== ''))
    .map((row) =>
      Object.fromEntries(head.map((name, at) => [name.trim(), (row[at] ?? '').replace(/^'(?=[=+\-@])/, '')])),
    );
}

export function formatCsvRow(cells: readonly unknown[]): string {
  return cells.map(formatCell).join(',');
}

function parseRows(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (isQuoted) {
      if (character !== '"') cell += character;
      else if (text[at + 1] === '"') cell += text[at++];
      else isQuoted = false;
    } else if (character === '"' && cell === '') isQuoted = true;
    else if (character === ',') {
      row.push(cell);
      cell = '';
    } else if (character === '\n' || character === '\r') {
      if (character === '\r' && text[at + 1] === '\n') at++;
      rows.push([...row, cell]);
      row = [];
      cell = '';
    } else cell += character;
  }
  if (cell !== '' || row.length > 0) rows.push([...row, cell]);
  return rows;
}

/** A leading apostrophe keeps spreadsheets from running a cell as a formula; reading removes it. */
function formatCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  const raw = typeof value === 'object' ? JSON.stringify(value) : String(value);
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(raw) ? `'${raw}` : raw;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
