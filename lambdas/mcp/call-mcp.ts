import type { routes } from '../../contract/routes.ts';
import { respondToMcp } from '../../mcp/respond.ts';
import { isAllowedOrigin, type OriginRule, type UseCase } from '../platform/http/response.ts';
import { ServiceError } from '../platform/service-error.ts';

export interface Sender {
  /** The header of the request, which the gateway has checked. */
  authorization: string;
  origin: string | undefined;
  traceId: string | undefined;
}

interface Settings {
  baseUrl: string;
  version: string;
  origins: OriginRule;
}

/** Less than the function has, so that a slow tool still gets a response. */
const timeoutMs = 25_000;

/**
 * The tools call the public API with the caller's token. So the function has no permission of its own, and roles, rate
 * limits, histories and logs are those of any other request.
 */
export function callMcp(sender: Sender, { baseUrl, version, origins }: Settings): UseCase<typeof routes.callMcp> {
  return async ({ query: { mode }, headers, body }) => {
    // The protocol requires it, against DNS rebinding.
    if (sender.origin !== undefined && !isAllowedOrigin(sender.origin, origins)) {
      throw new ServiceError('forbidden', 'Web pages of this origin may not connect.');
    }
    const request = {
      message: body,
      mode,
      token: sender.authorization.split(' ').at(-1) ?? '',
      protocolVersion: headers['MCP-Protocol-Version'],
      headers: sender.traceId === undefined ? {} : { 'X-Amzn-Trace-Id': sender.traceId },
    };
    const response = await respondToMcp(request, { baseUrl, version, timeoutMs });
    if (response.status === 202) return { status: 202 };
    if (response.status === 200) return { status: 200, body: response.body as { jsonrpc: '2.0' } };
    const { error } = response.body as { error?: { message?: string } };
    throw new ServiceError('invalid_input', error?.message ?? 'The message is not one of the protocol.');
  };
}
