import { mcpOperations } from '../../contract/mcp.ts';
import { env } from '../platform/env.ts';
import { getHeader } from '../platform/http/request-input.ts';
import type { GatewayEvent, PipelineContext } from '../platform/http/response.ts';
import { createPlatform, route } from '../platform/http/route.ts';
import { callMcp as call } from './call-mcp.ts';

/** The use case also needs the token of the request, which the pipeline does not pass on. */
export const callMcp = () => {
  const platform = createPlatform();
  const { ALLOWED_ORIGIN: baseUrl, SERVICE_VERSION: version } = env('ALLOWED_ORIGIN', 'SERVICE_VERSION');
  return (event: GatewayEvent, context: PipelineContext) => {
    const sender = {
      authorization: getHeader(event, 'Authorization') ?? '',
      origin: getHeader(event, 'Origin'),
      traceId: getHeader(event, 'X-Amzn-Trace-Id'),
    };
    const useCase = call(sender, { baseUrl, version, origins: platform.origins });
    return route(mcpOperations.callMcp, useCase, platform)(event, context);
  };
};
