import { dynamodbClient } from '../clients/dynamodb.ts';
import { clock } from '../clock.ts';
import { env } from '../env.ts';
import { log } from '../log.ts';
import { createLimiter } from '../rate-limit/limiter.ts';
import { rateLimitStore } from '../rate-limit/rate-limit-store.ts';
import { loadOriginRule } from './cors.ts';
import type { Platform } from './pipeline.ts';

/** The dependencies of the pipeline, created from the function's environment. */
export function createPlatform(): Platform {
  const { RATE_LIMITS_TABLE } = env('RATE_LIMITS_TABLE');
  const limiter = createLimiter(rateLimitStore(dynamodbClient(), RATE_LIMITS_TABLE), clock);
  return { clock, limiter, log, origins: loadOriginRule() };
}

/** For public operations, which have no caller whose requests could be counted: the stage limits them. */
export function createPublicPlatform(): Platform {
  const limiter = { take: () => Promise.reject(new Error('A public operation counts no requests.')) };
  return { clock, limiter, log, origins: loadOriginRule() };
}
