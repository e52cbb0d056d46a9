// Documentation pages hold measured tables between two comments, <!-- name --> and <!-- end of name -->.

export function readBlock(page: string, name: string): string {
  const { from, to } = findBlock(page, name);
  return page.slice(from, to);
}

export function replaceBlock(page: string, name: string, block: string): string {
  const { from, to } = findBlock(page, name);
  return `${page.slice(0, from)}${block}${page.slice(to)}`;
}

function findBlock(page: string, name: string): { from: number; to: number } {
  const start = `<!-- ${name} -->\n`;
  const from = page.indexOf(start) + start.length;
  const to = page.indexOf(`\n<!-- end of ${name} -->`, from);
  if (from < start.length || to < 0) throw new Error(`The page has no place for the table ${name}.`);
  return { from, to };
}
