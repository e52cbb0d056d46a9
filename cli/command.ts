import type { Readable, Writable } from 'node:stream';
import type { ServiceClient } from '../client/index.ts';
import type { Output } from './output.ts';

// What a command gets and how it describes itself. Help, completion and parsing follow from the table in commands.ts.

export type OptionValue = string | boolean | undefined;

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
  /** How the value appears in the help. */
  value?: string;
  description: string;
}

export interface Command {
  /** Words that select the command, such as `incidents list`. */
  name: string;
  args?: string;
  summary: string;
  /** Number of required arguments. */
  minArgs?: number;
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

/** The options that were given, as fields of a request. */
export function readFields(options: CommandInput['options'], names: readonly string[]): Record<string, string> {
  const given = names.map((name) => [name.replaceAll('-', '_'), readText(options, name)] as const);
  return Object.fromEntries(given.filter((entry): entry is [string, string] => entry[1] !== undefined));
}
