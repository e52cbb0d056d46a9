import type * as z from 'zod';

interface Rule<Fields> {
  /** The fields that must be right by themselves before the rule means anything. */
  of: readonly (keyof Fields & string)[];
  /** The field that the problem is told about. */
  at: keyof Fields & string;
  error: string | ((given: Fields) => string);
}

/**
 * For `refine`: a rule about several fields. Zod leaves refinements out when anything is wrong with the object; this one is
 * looked at whenever its own fields are right, so that one answer names everything.
 */
export function acrossFields<Fields>({ of, at, error }: Rule<Fields>) {
  return {
    path: [at],
    error: typeof error === 'string' ? error : ({ input }: { input?: unknown }) => error(input as Fields),
    when: ({ issues }: z.core.ParsePayload) => issues.every((issue) => !concerns(issue, of)),
  };
}

function concerns({ code, path }: z.core.$ZodRawIssue, fields: readonly string[]): boolean {
  const [field] = path ?? [];
  // What is wrong with the whole, other than fields that nobody knows, is that it is no object.
  return field === undefined ? code !== 'unrecognized_keys' : fields.includes(String(field));
}
