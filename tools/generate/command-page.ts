import { readFileSync } from 'node:fs';
import { formatHelp } from '../../cli/help.ts';

export const commandPageFile = new URL('../../docs/command-line.md', import.meta.url);

/** docs/command-line.md with the current list of commands. */
export function renderCommandPage(): string {
  const page = readFileSync(commandPageFile, 'utf8');
  const start = page.indexOf('```text\n') + '```text\n'.length;
  return `${page.slice(0, start)}${formatHelp()}\n${page.slice(page.indexOf('```', start))}`;
}
