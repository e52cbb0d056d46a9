// Lambda authorizers: calls them, caches their results and evaluates the returned policy for the called method.
import type { Caller } from '../aws/service.ts';
import type { Clock } from '../clock/clock.ts';
import { requireValue } from '../require-value.ts';
import { buildRequestContext, type Exchange, findHeader, toProxyEvent } from './exchange.ts';
import type { Authorizer } from './openapi-body.ts';

export interface InvokeResult {
  payload: unknown;
  functionError?: string | undefined;
}
export type Invoke = (functionArn: string, payload: unknown, caller?: Caller) => Promise<InvokeResult>;

/** The caller identity of the gateway when it invokes a function with a role. */
export function toGatewayCaller(roleArn: string | undefined): Caller | undefined {
  return roleArn === undefined ? undefined : { roleArn, name: 'api-gateway' };
}

interface AuthorizerResult {
  principalId: string;
  policyDocument: { Statement: readonly Statement[] };
  context?: Record<string, string | number | boolean>;
  usageIdentifierKey?: string;
}
interface Statement {
  Effect: 'Allow' | 'Deny';
  Action: string | readonly string[];
  Resource: string | readonly string[];
}

export type Decision =
  | { outcome: 'allowed' | 'denied'; context: Record<string, unknown>; usageIdentifierKey: string | undefined }
  | { outcome: 'unauthorized' | 'failed' | 'misconfigured' };

const maxCacheEntries = 10_000;

export class Authorizers {
  private readonly clock: Clock;
  private readonly invoke: Invoke;
  private readonly cache = new Map<string, { expiresAtMs: number; result: Promise<AuthorizerResult | Decision> }>();

  constructor(clock: Clock, invoke: Invoke) {
    this.clock = clock;
    this.invoke = invoke;
  }

  async decide(authorizer: Authorizer, exchange: Exchange, region: string): Promise<Decision> {
    const identity = authorizer.identityHeaders.map((name) => findHeader(exchange.multiValueHeaders, name));
    if (identity.some((value) => value === undefined || value === '')) return { outcome: 'unauthorized' };
    const { gateway, httpMethod, path } = exchange;
    const methodArn = `arn:aws:execute-api:${region}:${gateway.accountId}:${gateway.apiId}/${gateway.stage}/${httpMethod}${path}`;
    const result = await this.getCached(JSON.stringify([authorizer.name, identity]), authorizer, () =>
      this.callAuthorizer(authorizer, exchange, methodArn),
    );
    if ('outcome' in result) return result;
    return {
      outcome: isAllowed(result.policyDocument.Statement, methodArn) ? 'allowed' : 'denied',
      context: { ...result.context, principalId: result.principalId, integrationLatency: 0 },
      usageIdentifierKey: result.usageIdentifierKey,
    };
  }

  /** Caches results for the authorizer's TTL, but never a failure. Concurrent requests share one call. */
  private async getCached(
    key: string,
    authorizer: Authorizer,
    callAuthorizer: () => Promise<AuthorizerResult | Decision>,
  ) {
    const known = this.cache.get(key);
    if (known && known.expiresAtMs > this.clock.now()) return known.result;
    if (authorizer.ttlSeconds === 0) return callAuthorizer();
    const entry = { expiresAtMs: this.clock.now() + authorizer.ttlSeconds * 1000, result: callAuthorizer() };
    this.cache.delete(key);
    this.cache.set(key, entry);
    if (this.cache.size > maxCacheEntries) this.cache.delete(requireValue(this.cache.keys().next().value));
    let hasAnswer = false;
    try {
      const result = await entry.result;
      hasAnswer = !('outcome' in result);
      return result;
    } finally {
      if (!hasAnswer && this.cache.get(key) === entry) this.cache.delete(key);
    }
  }

  private async callAuthorizer(
    authorizer: Authorizer,
    exchange: Exchange,
    methodArn: string,
  ): Promise<AuthorizerResult | Decision> {
    const { payload, functionError } = await this.invoke(
      authorizer.functionArn,
      buildAuthorizerEvent(authorizer, exchange, methodArn),
      toGatewayCaller(authorizer.roleArn),
    );
    if (functionError) {
      const message = (payload as { errorMessage?: string } | null)?.errorMessage;
      return { outcome: message === 'Unauthorized' ? 'unauthorized' : 'failed' };
    }
    return isResult(payload) ? payload : { outcome: 'misconfigured' };
  }
}

function buildAuthorizerEvent(authorizer: Authorizer, exchange: Exchange, methodArn: string): unknown {
  if (authorizer.kind === 'TOKEN') {
    const authorizationToken = findHeader(exchange.multiValueHeaders, authorizer.identityHeaders[0] ?? 'Authorization');
    return { type: 'TOKEN', methodArn, authorizationToken };
  }
  const { body: _body, isBase64Encoded: _encoded, ...event } = toProxyEvent(exchange, Buffer.alloc(0));
  return { type: 'REQUEST', methodArn, ...event, requestContext: buildRequestContext(exchange) };
}

function isResult(payload: unknown): payload is AuthorizerResult {
  const result = payload as Partial<AuthorizerResult> | null;
  if (typeof result?.principalId !== 'string' || !Array.isArray(result.policyDocument?.Statement)) return false;
  const values = Object.values(result.context ?? {});
  return values.every((value) => ['string', 'number', 'boolean'].includes(typeof value));
}

function isAllowed(statements: readonly Statement[], methodArn: string): boolean {
  const matching = statements.filter(
    ({ Action, Resource }) =>
      [Action].flat().some((action) => /^(execute-api:(Invoke|\*)|\*)$/i.test(action)) &&
      [Resource].flat().some((pattern) => matchesGlob(pattern, methodArn)),
  );
  return matching.length > 0 && matching.every(({ Effect }) => Effect === 'Allow');
}

const patterns = new Map<string, RegExp>();

function matchesGlob(pattern: string, text: string): boolean {
  const known = patterns.get(pattern);
  if (known) return known.test(text);
  const escaped = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  const compiled = new RegExp(`^${escaped}$`, 's');
  if (patterns.size >= maxCacheEntries) patterns.clear();
  patterns.set(pattern, compiled);
  return compiled.test(text);
}
