import type * as z from 'zod';
import type { Api } from '../../../client/api-types.ts';
import type { OperationSpec } from '../../../contract/operation.ts';
import type { OperationName, routes } from '../../../contract/routes.ts';

// Compiled, not run: the generated types of the client must agree with the schemas of the contract in both directions.

type Output<O extends OperationSpec> = {
  [Status in keyof O['responses']]: `${Status & number}` extends `2${string}`
    ? O['responses'][Status] extends { body: infer Schema extends z.ZodType }
      ? z.output<Schema>
      : undefined
    : never;
}[keyof O['responses']];

type Input<O extends OperationSpec> = O extends { body: infer Schema extends z.ZodType } ? z.input<Schema> : undefined;
type GeneratedInput<Name extends OperationName> = Api[Name] extends { body: infer Body } ? Body : undefined;

type Agree<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

type Differences = {
  [Name in OperationName]: Agree<Output<(typeof routes)[Name]>, Api[Name]['output']> extends true
    ? Agree<NonNullable<Input<(typeof routes)[Name]>>, NonNullable<GeneratedInput<Name>>> extends true
      ? never
      : Name
    : Name;
}[OperationName];

const differences: Differences[] = [];

describe('generated client types', () => {
  it('agree with the schemas of the contract', () => {
    const none: never[] = differences;
    expect(none).toEqual([]);
  });
});
