import type { Readable, Writable } from 'node:stream';
import type { ServiceClient } from '../client/index.ts';
import type { Format, Output } from './output.ts';

// What a command gets and how it describes itself. Parsing, help, completion and the list in docs/command-line.md follow from
// the table in commands.ts.

export type OptionValue = string | boolean | string[] | undefined;

export type Environment = Readonly<Record<string, string | undefined>>;

/** Where a command runs: the process in `itsm`, streams in memory in tests. */
export interface Terminal {
  stdin: Readable;
  stdout: Writable;
  stderr: Writable & { isTTY?: boolean };
  environment: Environment;
  /** Fires on Ctrl-C. */
  signal: AbortSignal;
  version: string;
}

export interface CommandInput extends Terminal {
  args: readonly string[];
  options: Readonly<Record<string, OptionValue>>;
  output: Output;
  /** Connects with the saved credentials, on first use. */
  connect(): Promise<ServiceClient>;
  /** Ends the command with exit code 1 although it printed its result. */
  fail(): void;
}

export interface Option {
  type: 'string' | 'boolean';
  /** How the value appears in the help. A value of the kind `text` may be "-", which reads standard input. */
  value?: string;
  description: string;
  short?: string;
  /** May be given several times. */
  multiple?: boolean;
  /** Known values, for completion. */
  values?: readonly string[];
}

export const textOption = (value: string, description: string, values?: readonly string[]): Option => ({
  type: 'string',
  value,
  description,
  ...(values ? { values } : {}),
});

export interface Command {
  /** Words that select the command, such as `incidents list`. */
  name: string;
  args?: string;
  summary: string;
  /** Number of required arguments. */
  minArgs?: number;
  /** Known values of each argument, for completion. */
  argValues?: readonly (readonly string[])[];
  options?: Readonly<Record<string, Option>>;
  run(input: CommandInput): Promise<void>;
}

/** A mistake in the command line: exit code 2. */
export class UsageError extends Error {}

export function readText(options: CommandInput['options'], name: string): string | undefined {
  const value = options[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function readNumber(options: CommandInput['options'], name: string, fallback: number): number {
  const text = readText(options, name);
  if (text === undefined) return fallback;
  const value = Number(text);
  if (!Number.isFinite(value) || value < 0) throw new UsageError(`--${name} must be a number, not "${text}"`);
  return value;
}

/** The options that were given, as fields of a request. An empty value clears the field. */
export function readFields(options: CommandInput['options'], names: readonly string[]): Record<string, string | null> {
  const given = names.filter((name) => typeof options[name] === 'string');
  return Object.fromEntries(given.map((name) => [name.replaceAll('-', '_'), readText(options, name) ?? null]));
}

/** The options that were given, as a filter. An empty value, often an unset variable, must not list everything. */
export function readFilter(options: CommandInput['options'], names: readonly string[]): Record<string, string> {
  const fields = readFields(options, names);
  const empty = names.find((name) => fields[name.replaceAll('-', '_')] === null);
  if (empty) throw new UsageError(`--${empty} needs a value.`);
  return fields as Record<string, string>;
}

export function readFormat(options: CommandInput['options']): Format {
  if (options.json && options.csv) throw new UsageError('Use either --json or --csv.');
  const fields = readText(options, 'fields')?.split(',');
  return { isJson: options.json === true, isCsv: options.csv === true, fields };
}
