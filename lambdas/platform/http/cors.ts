import { exposedHeaders } from '../../../contract/http.ts';
import { env } from '../env.ts';

// Which web pages may call the service: those served over https from the service's own domain or below it, and one
// further origin that the environment names (the console's own).
export interface OriginRule {
  serviceDomain: string;
  allowedOrigin: string;
}

export function loadOriginRule(): OriginRule {
  const { SERVICE_DOMAIN, ALLOWED_ORIGIN } = env('SERVICE_DOMAIN', 'ALLOWED_ORIGIN');
  return { serviceDomain: SERVICE_DOMAIN, allowedOrigin: ALLOWED_ORIGIN };
}

export function isAllowedOrigin(origin: string, { serviceDomain, allowedOrigin }: OriginRule): boolean {
  if (origin === allowedOrigin) return true;
  if (!URL.canParse(origin)) return false;
  const url = new URL(origin);
  if (url.protocol !== 'https:' || url.origin !== origin) return false;
  return url.hostname === serviceDomain || url.hostname.endsWith(`.${serviceDomain}`);
}

/** `Vary` is there for foreign origins too: a cache must not hand their answer to an allowed one. */
export function corsHeaders(origin: string | undefined, rule: OriginRule): Record<string, string> {
  const vary = { Vary: 'Origin' };
  if (origin === undefined || !isAllowedOrigin(origin, rule)) return vary;
  return {
    ...vary,
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Expose-Headers': exposedHeaders.join(', '),
  };
}
