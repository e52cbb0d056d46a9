import { apiPrefixes } from '../../../contract/http.ts';
import type { Operation } from '../../../contract/operation.ts';
import { clock } from '../clock.ts';
import { log } from '../log.ts';
import { createTableLimiter } from '../rate-limit/rate-limit-store.ts';
import { requireValue } from '../require-value.ts';
import {
  assertWithinRateLimit,
  authenticateCaller,
  countRequest,
  createPipeline,
  type Platform,
  requireRole,
  validateInput,
} from './pipeline.ts';
import {
  type Exchange,
  type GatewayEvent,
  type GatewayResult,
  type Input,
  loadOriginRule,
  type OperationResponse,
  type PipelineContext,
  type RequestContext,
  toResult,
  type UseCase,
} from './response.ts';

/** Creates the handler of one operation. Every request passes these steps from top to bottom. */
export function route<O extends Operation>(
  operation: O,
  useCase: UseCase<O>,
  platform: Platform = createPlatform(),
): (event: GatewayEvent, context: PipelineContext) => Promise<GatewayResult> {
  return createPipeline(operation.name, platform)
    .use(authenticateCaller(operation, platform))
    .use(countRequest(operation, platform))
    .use(requireRole(operation))
    .use(validateInput(operation))
    .handler((_event, { exchange }) => run(operation, useCase, exchange, platform));
}

async function run<O extends Operation>(
  operation: O,
  useCase: UseCase<O>,
  exchange: Exchange,
  { clock, log }: Platform,
): Promise<GatewayResult> {
  const { requestId, caller, input } = exchange;
  const context = { requestId, caller, clock, log } as RequestContext<O>;
  const execute = (): Promise<OperationResponse<O>> => useCase(requireValue(input) as Input<O>, context);
  if (operation.method !== 'GET') await assertWithinRateLimit(exchange, clock);
  // A read changes nothing, so only its response waits for the rate limit.
  const [response] = await Promise.all([execute(), assertWithinRateLimit(exchange, clock)]);
  return toResult(operation, response);
}

type Handler = ReturnType<typeof route>;

/**
 * Creates one handler for several operations that share an expensive dependency, and selects the operation by the
 * gateway's resource. The path of the request would not do: behind a custom domain it can have a base path. The gateway
 * routes only these operations here, so any other resource is a bug of the stack.
 */
export function routeByResource(operations: readonly (readonly [Operation, Handler])[]): Handler {
  const handlers = new Map<string, Handler>(
    operations.flatMap(([{ method, path }, handler]) =>
      apiPrefixes.map((prefix) => [`${method} ${prefix}${path}`, handler] as const),
    ),
  );
  return (event: GatewayEvent, context: PipelineContext): Promise<GatewayResult> => {
    const method = event.httpMethod === 'HEAD' ? 'GET' : event.httpMethod;
    const handler = handlers.get(`${method} ${event.resource}`);
    if (!handler) throw new Error(`no operation of this function is at ${event.httpMethod} ${event.resource}`);
    return handler(event, context);
  };
}

/** The dependencies of the pipeline, created from the function's environment. */
export function createPlatform(): Platform {
  return { clock, limiter: createTableLimiter(), log, origins: loadOriginRule() };
}

/** For public operations. They have no caller with a rate limit; the throttle of the stage limits them. */
export function createPublicPlatform(): Platform {
  const limiter = { take: () => Promise.reject(new Error('A public operation has no rate limit.')) };
  return { clock, limiter, log, origins: loadOriginRule() };
}
