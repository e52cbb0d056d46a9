import { parseArgs } from 'node:util';
import { type Command, type Option, type OptionValue, UsageError } from './command.ts';
import { commands, commonOptions } from './commands.ts';
import { describeMistake } from './suggestion.ts';

/** The words of a command line that are not options, and the options of all commands. */
export function parseWords(argv: readonly string[]) {
  const options = toParseOptions(commonOptions);
  const { positionals, values } = parseArgs({ args: [...argv], options, allowPositionals: true, strict: false });
  return { words: positionals, values };
}

/** Finds the command with the longest matching name. */
export function findCommand(argv: readonly string[]): Command | undefined {
  const line = `${parseWords(argv).words.join(' ')} `;
  return commands.filter(({ name }) => line.startsWith(`${name} `)).sort((a, b) => b.name.length - a.name.length)[0];
}

export function parseOptions(
  command: Command,
  argv: readonly string[],
): { args: string[]; options: Record<string, OptionValue> } {
  const known = { ...commonOptions, ...command.options };
  try {
    const options = toParseOptions(known);
    const { positionals, values } = parseArgs({ args: [...argv], options, allowPositionals: true, strict: true });
    const args = positionals.slice(command.name.split(' ').length);
    if (args.length < (command.minArgs ?? 0)) throw new UsageError(`itsm ${command.name} needs ${command.args}.`);
    return { args, options: values as Record<string, OptionValue> };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const { message } = error as Error;
    const [, unknown] = /^Unknown option '(-[^']*)'/.exec(message) ?? [];
    if (!unknown) throw new UsageError(message);
    const names = Object.keys(known).map((name) => `--${name}`);
    throw new UsageError(describeMistake(`itsm ${command.name} has no option ${unknown}.`, unknown, names));
  }
}

/** What is wrong with words that select no command. */
export function describeUnknownCommand(words: readonly string[]): string {
  const [group = ''] = words;
  const members = commands.filter(({ name }) => name.startsWith(`${group} `)).map(({ name }) => name.split(' ')[1]);
  if (words.length === 1 && members.length > 0) return `itsm ${group} needs a command: ${members.join(', ')}.`;
  const names = [...commands.map(({ name }) => name), ...commands.map(({ name }) => name.split(' ')[0])];
  const line = words.join(' ');
  return describeMistake(
    `There is no command "${line}".`,
    `itsm ${line}`,
    names.map((name) => `itsm ${name}`),
  );
}

function toParseOptions(options: Readonly<Record<string, Option>>) {
  return Object.fromEntries(
    Object.entries(options).map(([name, { type, short, multiple = false }]) => [
      name,
      { type, multiple, ...(short ? { short } : {}) },
    ]),
  );
}
