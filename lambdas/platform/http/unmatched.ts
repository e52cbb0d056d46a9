import { allowedRequestHeaders, apiPrefixes } from '../../../contract/http.ts';
import { listPaths, type Operation } from '../../../contract/operation.ts';
import { ServiceError } from '../service-error.ts';
import { createPipeline, type Platform } from './pipeline.ts';
import { getHeader } from './request-input.ts';
import { buildCorsHeaders, type GatewayEvent, type GatewayResult, type PipelineContext } from './response.ts';

/** Handles preflights, unsupported methods and unknown paths. */
export function handleUnmatched(
  operations: readonly Operation[],
  platform: Omit<Platform, 'limiter'>,
): (event: GatewayEvent, context: PipelineContext) => Promise<GatewayResult> {
  return createPipeline('unmatchedRoute', platform).handler(async (event) => respond(operations, event, platform));
}

function respond(operations: readonly Operation[], event: GatewayEvent, { origins }: Omit<Platform, 'limiter'>) {
  const methods = listMethods(operations, event.resource);
  if (methods.length === 0) throw new ServiceError('not_found', `No resource exists at ${event.path}.`);
  const allow = [...methods, 'OPTIONS'].join(', ');
  if (event.httpMethod !== 'OPTIONS') {
    throw new ServiceError('method_not_allowed', `${event.path} supports ${allow}, not ${event.httpMethod}.`, {
      headers: { Allow: allow },
    });
  }
  const allowed = 'Access-Control-Allow-Origin' in buildCorsHeaders(getHeader(event, 'Origin'), origins);
  const preflight = {
    'Access-Control-Allow-Methods': allow,
    'Access-Control-Allow-Headers': allowedRequestHeaders.join(', '),
    'Access-Control-Max-Age': '86400',
  };
  return { statusCode: 204, headers: { Allow: allow, ...(allowed ? preflight : {}) }, body: '' };
}

/** The methods of the gateway's resource. Paths of no operation have a resource of their own. */
function listMethods(operations: readonly Operation[], resource: string): string[] {
  const here = operations.filter((operation) =>
    listPaths(operation).some((path) => apiPrefixes.some((prefix) => resource === `${prefix}${path}`)),
  );
  return [...new Set(here.flatMap(({ method }) => (method === 'GET' ? [method, 'HEAD'] : [method])))].sort();
}
