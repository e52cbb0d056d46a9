import middy, { type MiddlewareObj } from '@middy/core';
import { fixedResponseHeaders } from '../../../contract/http.ts';
import type { Operation } from '../../../contract/operation.ts';
import { rateLimits } from '../../../contract/rate-limits.ts';
import { hasRole } from '../../../contract/roles.ts';
import { type Caller, fromAuthorizerContext } from '../caller.ts';
import type { Clock } from '../clock.ts';
import { emitMetrics, type Log, toErrorFields } from '../log.ts';
import {
  createUncountedVerdict,
  type Limiter,
  toRateLimitHeaders,
  toRetryAfterSeconds,
  type Verdict,
} from '../rate-limit/limiter.ts';
import { ServiceError } from '../service-error.ts';
import { getUsageFields } from '../telemetry.ts';
import { getHeader, readInput } from './request-input.ts';
import {
  buildCorsHeaders,
  type Exchange,
  type GatewayEvent,
  type GatewayResult,
  type OriginRule,
  type PipelineContext,
  toProblemResult,
  toVisibleError,
} from './response.ts';

// The steps of every request, in the order of route.ts. middy runs `before` from first to last, and `after` and
// `onError` from last to first, so the outermost step sees every response.

export interface Platform {
  clock: Clock;
  limiter: Limiter;
  log: Log;
  origins: OriginRule;
}

export type Step = MiddlewareObj<GatewayEvent, GatewayResult, Error, PipelineContext>;

/** The steps of every HTTP function, with or without a known caller. */
export function createPipeline(operation: string, platform: Omit<Platform, 'limiter'>) {
  return middy<GatewayEvent, GatewayResult, Error, PipelineContext>({ timeoutEarlyInMillis: responseReserveMs })
    .use(logRequest(operation, platform))
    .use(addResponseHeaders(platform))
    .use(respondWithProblems(platform));
}

/** Enough to write a response and a log line before Lambda ends the function. */
const responseReserveMs = 250;

/** Opens the exchange, and writes one log line at its end. */
function logRequest(operation: string, { clock, log }: Pick<Platform, 'clock' | 'log'>): Step {
  const write = ({ event, context, response }: Parameters<NonNullable<Step['after']>>[0]) => {
    const { requestId, startedAtMs, caller } = context.exchange;
    log('info', 'request', {
      request_id: requestId,
      operation,
      method: event.httpMethod,
      route: event.resource,
      path: event.path,
      status: response?.statusCode,
      duration_ms: clock.now() - startedAtMs,
      caller: caller?.id ?? null,
      ...getUsageFields(),
    });
  };
  return {
    before: ({ event, context }) => {
      const startedAtMs = clock.now();
      const verdict = Promise.resolve(createUncountedVerdict(startedAtMs, rateLimits.general));
      context.exchange = { requestId: event.requestContext.requestId, startedAtMs, caller: null, verdict };
    },
    after: write,
    onError: write,
  };
}

/** The headers of every response: request id, rate limit, CORS and the fixed ones. */
function addResponseHeaders({ origins }: Pick<Platform, 'origins'>): Step {
  const add: Step['after'] = async ({ event, context, response }) => {
    if (!response) return;
    const { requestId, verdict } = context.exchange;
    response.headers = {
      ...fixedResponseHeaders,
      ...response.headers,
      'X-Request-Id': requestId,
      ...toRateLimitHeaders(await verdict),
      ...buildCorsHeaders(getHeader(event, 'Origin'), origins),
    };
  };
  return { after: add, onError: add };
}

/** A caller over the rate limit gets only that error, even if the request has other problems. */
function respondWithProblems({ clock, log }: Pick<Platform, 'clock' | 'log'>): Step {
  return {
    onError: async (request) => {
      const { requestId, verdict } = request.context.exchange;
      const error = toRateLimitError(await verdict, clock) ?? toVisibleError(request.error);
      if (error.status >= 500) {
        log('error', 'request failed', { request_id: requestId, ...toErrorFields(error.cause ?? error) });
      }
      // A permission that the deployment lacks counts, too, even if the response explains it.
      const isDenied =
        error.code === 'unavailable' && (error.cause as Error | undefined)?.name === 'AccessDeniedException';
      if (error.status === 500 || isDenied) {
        // Only a function that is deployed gradually has versions.
        const deployment = request.context.functionVersion === '$LATEST' ? 'direct' : 'gradual';
        emitMetrics({ UnexpectedErrors: 1 }, { deployment });
      }
      request.response = toProblemResult(error, requestId);
    },
  };
}

export function authenticateCaller(operation: Operation, { clock }: Pick<Platform, 'clock'>): Step {
  return {
    before: ({ event, context }) => {
      if (operation.access === 'public') return;
      const { authorizer, identity } = event.requestContext;
      const caller = { ...fromAuthorizerContext(authorizer), sourceIp: identity.sourceIp };
      if (caller.tokenExpiresAt * 1_000 <= clock.now()) {
        throw new ServiceError('unauthorized', 'The access token has expired.');
      }
      context.exchange.caller = caller;
    },
  };
}

/** Starts counting and does not wait for the result. If counting fails, the request is admitted (docs/decisions/0003). */
export function countRequest(operation: Operation, { limiter, clock, log }: Platform): Step {
  return {
    before: ({ context: { exchange } }) => {
      const { caller, requestId } = exchange;
      const rateLimit = rateLimits[operation.rateLimit];
      if (!caller || !rateLimit) return;
      exchange.verdict = limiter.take(toCounterKey(caller, operation), rateLimit).catch((error: unknown) => {
        log('error', 'failed to count a request for the rate limit', {
          request_id: requestId,
          ...toErrorFields(error),
        });
        return createUncountedVerdict(clock.now(), rateLimit);
      });
    },
  };
}

export function requireRole({ access }: Operation): Step {
  return {
    before: ({ context }) => {
      if (access === 'public' || access === 'none') return;
      if (hasRole(context.exchange.caller?.roles ?? [], access)) return;
      throw new ServiceError('forbidden', `This operation requires the role ${access} or higher.`);
    },
  };
}

export function validateInput(operation: Operation): Step {
  return {
    before: ({ event, context }) => {
      context.exchange.input = readInput(operation, event);
    },
  };
}

/** Resolves when the request is within its limit. Writes wait for it, so that a rejected request changes nothing. */
export async function assertWithinRateLimit({ verdict }: Exchange, clock: Clock): Promise<void> {
  const error = toRateLimitError(await verdict, clock);
  if (error) throw error;
}

function toRateLimitError(verdict: Verdict, clock: Clock): ServiceError | undefined {
  if (verdict.admitted) return undefined;
  const seconds = toRetryAfterSeconds(verdict, clock.now());
  return new ServiceError(
    'rate_limited',
    `The limit of ${verdict.limit} requests is exceeded. Try again in ${seconds} s.`,
    {
      headers: { 'Retry-After': String(seconds) },
    },
  );
}

/**
 * Each caller has its own general limit. The other classes limit the cost of the AI layer, so an owner and all of the
 * owner's API keys share one counter per class.
 */
function toCounterKey({ id, ownerId }: Caller, { rateLimit }: Operation): string {
  return rateLimit === 'general' ? id : `${ownerId}#${rateLimit}`;
}
