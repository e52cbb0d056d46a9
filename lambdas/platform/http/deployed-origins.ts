import { env } from '../env.ts';
import type { OriginRule } from './cors.ts';

export function deployedOrigins(): OriginRule {
  const { SERVICE_DOMAIN, ALLOWED_ORIGIN } = env('SERVICE_DOMAIN', 'ALLOWED_ORIGIN');
  return { serviceDomain: SERVICE_DOMAIN, allowedOrigin: ALLOWED_ORIGIN };
}
