// The door to expressions: text in, bound expression out. Texts repeat from call to call, so what depends on the text
// alone is kept; only the placeholders are replaced each time.
import { AwsError } from '../../aws/error.ts';
import { type BoundCondition, bindCondition } from './condition.ts';
import { parseCondition } from './condition-parser.ts';
import { type BoundProjection, bindProjection } from './projection.ts';
import type { Substitutions } from './substitutions.ts';
import type { Condition, Projection, Update } from './syntax.ts';
import { type BoundUpdate, bindUpdate } from './update.ts';
import { parseProjection, parseUpdate } from './update-parser.ts';

const remembered = 1000;

export const conditions = parsed<Condition>(parseCondition);
export const updates = parsed<Update>(parseUpdate);
export const projections = parsed<Projection>(parseProjection);

/** `which` is the parameter that holds the text, as refusals name it: ConditionExpression, FilterExpression, … */
export function condition(which: string, text: string, substitutions: Substitutions): BoundCondition {
  return named(which, () => bindCondition(conditions(text), substitutions));
}

export function update(text: string, substitutions: Substitutions): BoundUpdate {
  return named('UpdateExpression', () => bindUpdate(updates(text), substitutions));
}

export function projection(text: string, substitutions: Substitutions): BoundProjection {
  return named('ProjectionExpression', () => bindProjection(projections(text), substitutions));
}

function named<T>(which: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    throw new AwsError(error.code, `Invalid ${which}: ${error.message}`);
  }
}

/** Keeps the latest results of parsing. */
function parsed<T>(parse: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const result = parse(text);
    if (known.size >= remembered) known.delete(known.keys().next().value!);
    known.set(text, result);
    return result;
  };
}
