// What is known of a question while it is read, and the calls that come of it.
import type { Parameter } from './parameters.ts';
import { Wording } from './wording.ts';

/** One set of parameters per call: a parameter that takes one value, where several are meant, makes several calls. */
export type Filters = Record<string, unknown>;

export interface Reading {
  readonly wording: Wording;
  readonly nowMs: number;
  readonly parameters: readonly Parameter[];
  readonly filters: Filters;
  /** Values of which each needs a call of its own. */
  readonly alternatives: Map<string, readonly unknown[]>;
  readonly remarks: string[];
}

const mostCalls = 4;

export function newReading(question: string, nowMs: number, parameters: readonly Parameter[]): Reading {
  const wording = new Wording(question);
  return { wording, nowMs, parameters, filters: {}, alternatives: new Map(), remarks: [] };
}

export function isGiven({ filters, alternatives }: Reading, { name }: Parameter): boolean {
  return name in filters || alternatives.has(name);
}

/** Gives a parameter the values that were meant, in the form it takes. */
export function give(reading: Reading, { name, several }: Parameter, values: readonly unknown[]): void {
  const { filters, alternatives } = reading;
  if (values.length === 0) return;
  if (several === 'list') filters[name] = values;
  else if (several === 'commas') filters[name] = values.join(',');
  else if (values.length === 1) filters[name] = values[0];
  else alternatives.set(name, values);
}

/** Only one parameter can be tried value by value; what is too much is told. */
export function callsFor({ filters, alternatives, remarks }: Reading): Filters[] {
  const [first, ...others] = [...alternatives];
  for (const [name, values] of others) remarks.push(`Not looked up: ${wordsOf(name)} ${values.join(' or ')}.`);
  if (!first) return [filters];
  const [name, values] = first;
  const left = values.slice(mostCalls);
  if (left.length > 0) remarks.push(`Not looked up: ${wordsOf(name)} ${left.join(', ')}.`);
  return values.slice(0, mostCalls).map((value) => ({ ...filters, [name]: value }));
}

export function wordsOf(name: string): string {
  return name.replaceAll('_', ' ');
}
