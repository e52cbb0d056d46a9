import type { z } from 'zod';
import type { Method, OperationSpec } from '../contract/operation.ts';
import type { RateLimitState } from './rate-limit.ts';

// The methods of the client, derived from the contract alone. The shape of a call depends only on the method and the
// path, neither of which an operation ever changes, so a contract that grows does not break its callers:
//
//   reading and deleting   client.getIncident({ id, include_deleted: true }, options?)    path parameters and query
//   writing                client.createIncident({ short_description }, options?)         body
//   writing below a path   client.updateIncident({ id }, { state }, options?)             path parameters, then body

export type Routes = Readonly<Record<string, OperationSpec>>;

/** What must be known at run time of an operation; generated from the contract, so that zod stays out of bundles. */
export interface OperationEntry {
  readonly method: Method;
  readonly path: string;
  /** Request headers that the operation understands. */
  readonly headers?: readonly string[];
}

/** Holds a table to the contract: an operation that is missing, renamed or moved does not compile. */
export type OperationTable<R extends Routes> = {
  readonly [Name in keyof R]: OperationEntry & { method: R[Name]['method']; path: R[Name]['path'] };
};

export type Operations<R extends Routes> = { readonly [Name in keyof R]: Call<R[Name]> };

export type Call<O extends OperationSpec> = {
  (...args: Arguments<O>): Promise<Output<O>>;
  /** The same call, with status, headers, ETag and rate limit beside the data. */
  withResponse(...args: Arguments<O>): Promise<Answer<O>>;
} & (Output<O> extends Page<infer Item> ? Iteration<O, Item> : unknown);

/** The form of every list. */
export interface Page<Item> {
  data: readonly Item[];
  next_cursor?: string | undefined;
}

export interface Iteration<O extends OperationSpec, Item> {
  /** Every record of the list, page after page: `for await (const incident of client.listIncidents.all())`. */
  all(...args: IterationArguments<O>): AsyncGenerator<Item, void, undefined>;
}

export interface ResponseFacts {
  status: number;
  headers: Headers;
  etag?: string;
  location?: string;
  requestId?: string;
  rateLimit?: RateLimitState;
}

export type Answer<O extends OperationSpec> = ResponseFacts &
  (
    | { notModified: false; data: Output<O> }
    | (O['responses'] extends { 304: unknown } ? { notModified: true; data: undefined } : never)
  );

export interface CallOptions {
  /** Ends the call, waits between attempts included. */
  signal?: AbortSignal;
  /** For one attempt. */
  timeoutMs?: number;
  /** Further attempts after the first; 0 turns them off for this call. */
  retries?: number;
}

export type Arguments<O extends OperationSpec> = O['method'] extends 'GET' | 'DELETE'
  ? Leading<Simplify<PathParameters<O> & Query<O>>, [options?: OptionsOf<O>]>
  : keyof PathParameters<O> extends never
    ? Leading<Body<O>, [options?: OptionsOf<O>]>
    : [path: Simplify<PathParameters<O>>, ...Leading<Body<O>, [options?: OptionsOf<O>]>];

type IterationArguments<O extends OperationSpec> = Leading<
  Simplify<Omit<PathParameters<O> & Query<O>, 'cursor' | 'page'>>,
  [options?: OptionsOf<O>]
>;

/** What the operation answers with when it succeeds. */
export type Output<O extends OperationSpec> = {
  [Status in keyof O['responses']]: `${Status & number}` extends `2${string}` ? BodyOf<O['responses'][Status]> : never;
}[keyof O['responses']];

type BodyOf<Response> = Response extends { body: infer Schema extends z.ZodType } ? z.output<Schema> : undefined;

/** An argument that may be empty may be left out. */
type Leading<First, Rest extends unknown[]> =
  Record<never, never> extends First ? [input?: First, ...Rest] : [input: First, ...Rest];

type PathParameters<O extends OperationSpec> = O extends { params: infer Schema extends z.ZodObject }
  ? z.input<Schema>
  : Record<NamesIn<O['path']>, string>;

type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;

/** A query value may be given as it is sent or as it is meant: `limit: '50'` or `limit: 50`. */
type Query<O extends OperationSpec> = O extends { query: infer Schema extends z.ZodObject }
  ? { [Name in keyof z.input<Schema>]: Sent<z.input<Schema>[Name], z.output<Schema>[Name & keyof z.output<Schema>]> }
  : unknown;

type Sent<Raw, Meant> = unknown extends Raw ? Meant : Raw | Meant;

type Body<O extends OperationSpec> = O extends { body: infer Schema extends z.ZodType }
  ? z.input<Schema>
  : Record<string, never> | undefined;

/** Writing operations rarely have a query; where one does, it travels with the options. */
type OptionsOf<O extends OperationSpec> = CallOptions &
  HeaderOptions<O> &
  (O['method'] extends 'GET' | 'DELETE' ? unknown : O extends { query: z.ZodObject } ? { query?: Query<O> } : unknown);

/** `If-Match` is the option `ifMatch`. */
type HeaderOptions<O extends OperationSpec> = O extends { headers: infer Schema extends z.ZodObject }
  ? { [Name in keyof z.input<Schema> as OptionName<Name & string>]?: z.input<Schema>[Name] }
  : unknown;

type OptionName<Header extends string> = Uncapitalize<WithoutDashes<Header>>;

type WithoutDashes<Header extends string> = Header extends `${infer Word}-${infer Rest}`
  ? `${Capitalize<Lowercase<Word>>}${WithoutDashes<Rest>}`
  : Capitalize<Lowercase<Header>>;

type Simplify<T> = { [Key in keyof T]: T[Key] };
