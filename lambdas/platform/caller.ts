import * as z from 'zod';
import { type CallerKind, callerKinds } from '../../contract/identity.ts';
import { isRole, type Role } from '../../contract/roles.ts';

// The caller of a request. The authorizer writes the caller into the gateway's context, which contains only strings and is
// cached per token; the request pipeline reads it.
export interface Caller {
  /** The subject of the token. Limits per caller count by this id. */
  id: string;
  email: string;
  kind: CallerKind;
  roles: readonly Role[];
  clientId: string;
  /** The principal that is charged for AI requests: the owner of an API key, otherwise the caller. */
  ownerId: string;
  /** The address of the client, as the gateway sees it. Absent in jobs of older versions. */
  sourceIp?: string;
  /** Unix seconds. The gateway may cache the authorizer's response beyond this time, so the pipeline checks again. */
  tokenExpiresAt: number;
}

export function toAuthorizerContext(caller: Caller): Record<string, string> {
  return {
    caller_id: caller.id,
    email: caller.email,
    kind: caller.kind,
    roles: caller.roles.join(','),
    client_id: caller.clientId,
    owner_id: caller.ownerId,
    token_expires_at: String(caller.tokenExpiresAt),
  };
}

/** Throws an internal error if our authorizer did not write the context: that is a bug, not an error of the caller. */
export function fromAuthorizerContext(context: unknown): Caller {
  const { caller_id, email, kind, roles, client_id, owner_id, token_expires_at } = authorizerContext.parse(context);
  return {
    id: caller_id,
    email,
    kind,
    roles: roles.split(',').filter(isRole),
    clientId: client_id,
    ownerId: owner_id ?? caller_id,
    tokenExpiresAt: token_expires_at,
  };
}

const authorizerContext = z.object({
  caller_id: z.string().min(1),
  email: z.string().min(1),
  kind: z.enum(callerKinds),
  roles: z.string(),
  client_id: z.string().min(1),
  // Absent in a result that the gateway cached before a deployment added it.
  owner_id: z.string().min(1).optional(),
  token_expires_at: z.coerce.number().int().positive(),
});
