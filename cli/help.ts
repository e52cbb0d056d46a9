import type { Command, Option } from './command.ts';
import { commands, commonOptions } from './commands.ts';

export function formatHelp(command?: Command): string {
  if (command) {
    const usage = `itsm ${[command.name, command.args].filter(Boolean).join(' ')} [options]`;
    const options = Object.entries({ ...command.options, ...commonOptions });
    return [
      command.summary,
      '',
      `  ${usage}`,
      '',
      ...alignPairs(options.map(([name, one]) => [formatOption(name, one), one.description])),
    ].join('\n');
  }
  const list = commands.map(({ name, args, summary }): [string, string] => [
    [name, args].filter(Boolean).join(' '),
    summary,
  ]);
  return [
    'itsm <command> [options]',
    '',
    ...alignPairs(list),
    '',
    'Add -h to a command for its options, and --json, --csv or --fields for programs.',
    'ITSM_URL and ITSM_API_KEY take the place of itsm login.',
    'Exit codes: 0 success, 1 error, 2 wrong usage, 3 not allowed, 4 not found, 5 not reachable.',
  ].join('\n');
}

function formatOption(name: string, { value, short }: Option): string {
  return `${short ? `-${short}, ` : ''}--${name}${value ? ` ${value}` : ''}`;
}

function alignPairs(pairs: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...pairs.map(([left]) => left.length));
  return pairs.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
