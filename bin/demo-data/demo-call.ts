import { randomUUID } from 'node:crypto';
import type { Role } from '../../contract/roles.ts';
import type { PastTools } from '../../local/past.ts';

// Calls one of the service's own functions as the gateway calls it, at a moment of the past. Not through the gateway
// itself, because its tokens last an hour and the past 90 days.

export interface DemoCall {
  /** The function's name without that of the stack. */
  name: string;
  method: 'POST' | 'PATCH' | 'PUT';
  /** Below the root of the interface. */
  path: string;
  id?: string;
  actor: string;
  role: Role;
  body: unknown;
  atMs: number;
}

/** Answers with the body of the answer; anything but success ends the start. */
export async function callService(call: DemoCall, stackName: string, tools: PastTools): Promise<{ id: string }> {
  const answer = await tools.call(`${stackName}-${call.name}`, eventOf(call), call.atMs);
  const { statusCode, body } = answer as { statusCode?: number; body?: string };
  if (!statusCode || statusCode >= 300) {
    throw new Error(`The demo data could not be made: ${call.name} answered ${JSON.stringify(answer)}`);
  }
  return JSON.parse(body!);
}

/** What the gateway hands to a function. */
function eventOf({ method, path, id, actor, role, body, atMs }: DemoCall) {
  return {
    httpMethod: method,
    path: `/api/v1${path}`,
    headers: { 'content-type': 'application/json' },
    pathParameters: id === undefined ? null : { id },
    multiValueQueryStringParameters: null,
    body: JSON.stringify(body),
    isBase64Encoded: false,
    requestContext: {
      requestId: randomUUID(),
      authorizer: {
        // One caller, in whose name the requests of many people are counted together.
        caller_id: 'demo',
        email: actor,
        kind: 'user',
        roles: role,
        client_id: 'demo',
        token_expires_at: String(Math.ceil(atMs / 1_000) + 3_600),
      },
    },
  };
}
