import { ServiceProblem } from '../../client/index.ts';

/** The problem of each field of a form. */
export type FieldProblems = Readonly<Record<string, string>>;

interface FieldProblem {
  field: string;
  message: string;
}

/** Keeps the first problem of each field path, such as `attachments[0].url`. */
export function problemsByField(problems: readonly FieldProblem[]): FieldProblems {
  const byField: Record<string, string> = {};
  for (const { field, message } of problems) byField[field] ??= sentence(message);
  return byField;
}

/** Splits a problem into what the form shows beside its fields and what it shows above them. */
export function splitProblem(
  problem: unknown,
  fields: (name: string) => boolean,
): { byField: FieldProblems; rest: unknown } {
  if (!(problem instanceof ServiceProblem) || problem.errors.length === 0) return { byField: {}, rest: problem };
  const shown = problem.errors.filter(({ field }) => fields(field));
  const rest = shown.length === problem.errors.length ? undefined : problem;
  return { byField: problemsByField(shown), rest };
}

/** The problem of a field, or of the first of its entries that has one. */
export function findListProblem(problems: FieldProblems, name: string): string | undefined {
  return problems[name] ?? Object.entries(problems).find(([field]) => field.startsWith(`${name}[`))?.[1];
}

function sentence(message: string): string {
  const text = message.charAt(0).toUpperCase() + message.slice(1);
  return text.endsWith('.') ? text : `${text}.`;
}
