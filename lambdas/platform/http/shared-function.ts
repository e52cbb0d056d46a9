import { apiPrefixes } from '../../../contract/http.ts';
import type { Operation } from '../../../contract/operation.ts';
import type { GatewayEvent, GatewayResult, PipelineContext } from './answer.ts';
import type { route } from './route.ts';

type Handler = ReturnType<typeof route>;

/**
 * One function for several operations, told apart by their paths: for operations that share something expensive to load.
 * The gateway leads only their routes here, so another path is a mistake of the stack.
 */
export function sharedFunction(operations: readonly (readonly [Operation, Handler])[]): Handler {
  const handlers = new Map(operations.map(([{ method, path }, handler]) => [`${method} ${path}`, handler]));
  return (event: GatewayEvent, context: PipelineContext): Promise<GatewayResult> => {
    const prefix = apiPrefixes.find((candidate) => event.path.startsWith(`${candidate}/`)) ?? '';
    const method = event.httpMethod === 'HEAD' ? 'GET' : event.httpMethod;
    const handler = handlers.get(`${method} ${event.path.slice(prefix.length)}`);
    if (!handler) throw new Error(`no operation of this function is at ${event.httpMethod} ${event.path}`);
    return handler(event, context);
  };
}
