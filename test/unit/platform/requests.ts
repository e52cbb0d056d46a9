import type { Platform } from '../../../lambdas/platform/http/pipeline.ts';
import type { GatewayEvent, PipelineContext } from '../../../lambdas/platform/http/response.ts';
import { createLimiter } from '../../../lambdas/platform/rate-limit/limiter.ts';
import { clockAt, storeInMemory } from './counting.ts';

export const nowMs = Date.parse('2026-03-01T09:30:00.250Z');

export function aRequest(changes: Partial<GatewayEvent> & { authorizer?: Record<string, string> } = {}): GatewayEvent {
  const { authorizer = anAuthorizerContext(), ...event } = changes;
  return {
    httpMethod: 'GET',
    path: '/api/v1/health',
    headers: {},
    body: null,
    isBase64Encoded: false,
    pathParameters: null,
    multiValueQueryStringParameters: null,
    requestContext: { requestId: 'request-1', authorizer, identity: { sourceIp: '203.0.113.7' } },
    ...event,
  } as unknown as GatewayEvent;
}

export function anAuthorizerContext(changes: Record<string, string> = {}): Record<string, string> {
  return {
    caller_id: 'caller-1',
    email: 'agent@clients.incidents.example.com',
    kind: 'client',
    roles: 'itsm_agent',
    client_id: 'client-1',
    token_expires_at: String(nowMs / 1_000 + 600).split('.')[0]!,
    ...changes,
  };
}

/** A platform with a recorded log and a fixed clock. */
export function aPlatform(changes: Partial<Platform> = {}) {
  const lines: Record<string, unknown>[] = [];
  const clock = clockAt(nowMs);
  const platform: Platform = {
    clock,
    limiter: createLimiter(storeInMemory().store, clock),
    log: (level, message, fields) => lines.push({ level, message, ...fields }),
    origins: {
      serviceDomain: 'incidents.example.com',
      allowedOrigins: ['https://portal.example.org', 'http://localhost:3000'],
    },
    ...changes,
  };
  return { platform, lines, clock };
}

export const lambdaContext = () => ({}) as PipelineContext;
