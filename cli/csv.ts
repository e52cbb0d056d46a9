import Papa from 'papaparse';

/** One object per row, by the names of the first row. Removes the apostrophe that keeps spreadsheets from running a formula. */
export function parseCsv(text: string): Record<string, string>[] {
  const headers: string[] = [];
  const { data } = Papa.parse<Record<string, string>>(text, {
    header: true,
    skipEmptyLines: 'greedy',
    // Exports repeat a column for each of several values, such as comments; papaparse would rename them with a warning.
    transformHeader: (given, index) => {
      const name = given.trim();
      headers[index] = name;
      const earlier = headers.slice(0, index).filter((each) => each === name).length;
      return earlier === 0 ? name : `${name}_${earlier}`;
    },
    transform: (cell) => cell.replace(/^'(?=[=+\-@\t\r])/, ''),
  });
  return data.map(({ __parsed_extra: extra, ...row }) => (extra ? { ...row, 'cells without a column': extra } : row));
}

export function formatCsvRow(cells: readonly unknown[]): string {
  const texts = cells.map((cell) => (typeof cell === 'object' && cell !== null ? JSON.stringify(cell) : cell));
  return Papa.unparse([texts], { escapeFormulae: true });
}
