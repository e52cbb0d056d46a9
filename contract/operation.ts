import type * as z from 'zod';
import type { ErrorCode } from './errors.ts';
import type { RateLimitClass } from './rate-limits.ts';
import type { Role } from './roles.ts';

// Defines one API operation. Gateway routes, documentation and client methods are derived from these definitions.

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

/** `none`: any valid token, even one without a role. `public`: no token. */
type Access = Role | 'none' | 'public';

export interface HeaderSpec {
  description: string;
  example: string;
}

export interface ResponseSpec {
  description: string;
  body?: z.ZodType;
  /** The body is a text of this type, such as text/calendar, instead of JSON. */
  contentType?: string;
  headers?: Readonly<Record<string, HeaderSpec>>;
  example?: unknown;
}

export type RecordAction = 'list' | 'create' | 'get' | 'update' | 'delete' | 'history' | 'listNotes' | 'createNote';

export interface OperationSpec {
  method: Method;
  /** Relative to the API root, with `{name}` for parameters. */
  path: string;
  /** A second path with the same parameters, for senders that append to an address. */
  alias?: string;
  /** A key of `capabilities` in routes.ts. */
  capability: string;
  summary: string;
  description: string;
  access: Access;
  rateLimit: RateLimitClass;
  params?: z.ZodObject;
  query?: z.ZodObject;
  /** Matched case-insensitively. */
  headers?: z.ZodObject;
  body?: z.ZodType;
  bodyExample?: unknown;
  responses: Readonly<Record<number, ResponseSpec>>;
  /** What a standard operation on records does; its permissions follow from it. */
  action?: RecordAction;
  /** In addition to the errors that every operation can return. */
  errors?: readonly ErrorCode[];
}

export interface Operation extends OperationSpec {
  /** The same name is the operationId, the handler, the use case and the SDK's method. */
  name: string;
}

/** Gives each operation its key as its name. */
export function defineOperations<const Specs extends Record<string, OperationSpec>>(specs: Specs): Named<Specs> {
  return Object.fromEntries(Object.entries(specs).map(([name, spec]) => [name, { ...spec, name }])) as Named<Specs>;
}

/** Whether the body may be omitted because everything in it has a default. */
export function isOptional(body: z.ZodType): boolean {
  const { success, data } = body.safeParse(undefined);
  return success && data !== undefined;
}

/** All errors the operation can return. */
export function listErrorCodes(operation: Operation): ErrorCode[] {
  const codes = new Set<ErrorCode>(operation.errors);
  if (operation.params) codes.add('not_found');
  if (operation.body) {
    codes.add('malformed_json').add('unsupported_media_type');
  }
  if (operation.access !== 'public') codes.add('unauthorized').add('rate_limited');
  if (operation.access !== 'public' && operation.access !== 'none') codes.add('forbidden');
  return [...codes.add('invalid_input').add('payload_too_large').add('internal_error').add('unavailable')];
}

/** The paths at which the gateway serves an operation. */
export function listPaths({ path, alias }: Operation): string[] {
  return alias ? [path, alias] : [path];
}

type Named<Specs> = { readonly [Name in keyof Specs]: Specs[Name] & { readonly name: Name } };
