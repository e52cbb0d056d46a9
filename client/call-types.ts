import type { RateLimitState } from './rate-limit.ts';

// The methods of the client, derived from the generated types of the operations. The shape of a call depends only on the
// method and the path. An operation never changes these, so new fields do not break callers:
//
//   reading and deleting   client.getIncident({ id, include_deleted: true }, options?)    path parameters and query
//   writing                client.createIncident({ short_description }, options?)         body
//   writing below a path   client.updateIncident({ id }, { state }, options?)             path parameters, then body

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

/** The types of one operation; `api-types.ts` has those of the service. */
export interface OperationTypes {
  method: Method;
  params?: object;
  query?: object;
  /** Request headers under their option names. */
  options?: object;
  body?: unknown;
  output: unknown;
  /** Present if the operation can respond with 304. */
  notModified?: true;
}

export type ApiTypes<Types> = { [Name in keyof Types]: OperationTypes };

/** `cursor`: the next page starts at `next_cursor`. `sequence`: it starts after `next_after`. */
export type Paging = 'cursor' | 'sequence';

/** What the client needs to know about an operation at run time. */
export interface OperationEntry {
  readonly method: Method;
  readonly path: string;
  /** Request headers of the operation. */
  readonly headers?: readonly string[];
  readonly paging?: Paging;
}

/**
 * Checks a table against the types: an operation that is missing, renamed or has another method does not compile, and
 * neither does a list without a known paging scheme.
 */
export type OperationTable<Types extends ApiTypes<Types>> = {
  readonly [Name in keyof Types]: OperationEntry & { method: Types[Name]['method'] } & PagingOf<Types[Name]['output']>;
};

/** A bounded report that mentions what it omits is not a list. */
type PagingOf<Output> = Output extends { truncated: unknown }
  ? { paging?: never }
  : Output extends { data: readonly unknown[] }
    ? { paging: 'next_after' extends keyof Output ? 'sequence' : 'next_cursor' extends keyof Output ? 'cursor' : never }
    : { paging?: never };

export type Operations<Types extends ApiTypes<Types>> = { readonly [Name in keyof Types]: Call<Types[Name]> };

export type Call<O extends OperationTypes> = {
  (...args: Arguments<O>): Promise<O['output']>;
  /** The same call, with status, headers, ETag and rate limit in addition to the data. */
  withResponse(...args: Arguments<O>): Promise<CallResponse<O>>;
} & (O['output'] extends { data: readonly (infer Item)[]; truncated?: never } ? Iteration<O, Item> : unknown);

export interface Iteration<O extends OperationTypes, Item> {
  /** Every record of the list, page after page: `for await (const incident of client.listIncidents.all())`. */
  all(...args: IterationArguments<O>): AsyncGenerator<Item, void, undefined>;
  /** The first `maxItems` records of the list, 10,000 by default. */
  autoPagingToArray(...args: IterationArguments<O, { maxItems?: number }>): Promise<Item[]>;
}

export interface ResponseInfo {
  status: number;
  headers: Headers;
  etag?: string;
  location?: string;
  requestId?: string;
  rateLimit?: RateLimitState;
}

export type CallResponse<O extends OperationTypes> = ResponseInfo &
  (
    | { notModified: false; data: O['output'] }
    | (O extends { notModified: true } ? { notModified: true; data: undefined } : never)
  );

export interface CallOptions {
  /** Ends the call, including waits between attempts. */
  signal?: AbortSignal | undefined;
  /** Time limit of one attempt. */
  timeoutMs?: number | undefined;
  /** Further attempts after the first; 0 turns retries off for this call. */
  retries?: number | undefined;
}

export type Arguments<O extends OperationTypes> = O['method'] extends 'GET' | 'DELETE'
  ? Leading<Simplify<ParamsOf<O> & QueryOf<O>>, [options?: OptionsOf<O>]>
  : O extends { params: infer Params }
    ? [params: Params, ...BodyArguments<O>]
    : BodyArguments<O>;

type BodyArguments<O> = Leading<BodyOf<O>, [options?: OptionsOf<O>]>;

type IterationArguments<O extends OperationTypes, More = unknown> = Leading<
  Simplify<Omit<ParamsOf<O> & QueryOf<O>, 'cursor' | 'page'>>,
  [options?: OptionsOf<O> & More]
>;

/** An argument that may be empty may be left out. */
type Leading<First, Rest extends unknown[]> = [undefined] extends [First]
  ? [input?: First, ...Rest]
  : Record<never, never> extends First
    ? [input?: First, ...Rest]
    : [input: First, ...Rest];

type ParamsOf<O> = O extends { params: infer Params } ? Params : unknown;
type QueryOf<O> = O extends { query: infer Query } ? Query : unknown;
type BodyOf<O> = O extends { body: infer Body } ? Body : Record<string, never> | undefined;

/** Writing operations rarely have a query; where one does, it is an option. */
type OptionsOf<O> = CallOptions &
  (O extends { options: infer Options } ? Options : unknown) &
  (O extends { method: 'GET' | 'DELETE' } ? unknown : O extends { query: infer Query } ? { query?: Query } : unknown);

type Simplify<T> = { [Key in keyof T]: T[Key] };
