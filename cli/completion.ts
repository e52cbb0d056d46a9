import type { Option } from './command.ts';
import { commands, commonOptions } from './commands.ts';
import { findCommand, parseWords } from './parse.ts';

interface Suggestion {
  word: string;
  description?: string | undefined;
}

/** The words that may take the place of the last one. */
export function complete(words: readonly string[]): Suggestion[] {
  const last = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  const { candidates, start } = listCandidates(before, last);
  return candidates
    .filter(({ word }) => word.startsWith(last.slice(start)))
    .map(({ word, description }) => ({ word: `${last.slice(0, start)}${word}`, description }));
}

/** `start` is where the candidates begin in the last word, which may be a list with commas. */
function listCandidates(before: readonly string[], last: string): { candidates: Suggestion[]; start: number } {
  const command = findCommand(before);
  const options: Readonly<Record<string, Option>> = { ...command?.options, ...commonOptions };
  const option = Object.entries(options).find(([name, { short }]) =>
    [`--${name}`, `-${short}`].includes(before.at(-1) ?? ''),
  )?.[1];
  const toSuggestions = (values: readonly string[] = []) => values.map((word) => ({ word }));
  if (option?.type === 'string') return { candidates: toSuggestions(option.values), start: last.lastIndexOf(',') + 1 };
  if (last.startsWith('-')) {
    const flags = Object.entries(options).map(([name, { description }]) => ({ word: `--${name}`, description }));
    return { candidates: flags, start: 0 };
  }
  const { words } = parseWords(before);
  if (command) {
    const position = words.length - command.name.split(' ').length;
    return { candidates: toSuggestions(command.argValues?.[position]), start: 0 };
  }
  return { candidates: listNextWords(words), start: 0 };
}

/** A group of commands appears once. */
function listNextWords(words: readonly string[]): Suggestion[] {
  const prefix = words.map((word) => `${word} `).join('');
  const next = new Map<string, string | undefined>();
  for (const { name, summary } of commands.filter((one) => one.name.startsWith(prefix))) {
    const [word = '', ...rest] = name.slice(prefix.length).split(' ');
    next.set(word, rest.length > 0 ? `${word} commands` : summary);
  }
  return [...next].map(([word, description]) => ({ word, description }));
}
