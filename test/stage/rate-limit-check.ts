import assert from 'node:assert/strict';
import { assertProblem, assertRateHeaders, type PlainResponse, send } from './requests.ts';
import type { Check } from './run-checks.ts';
import type { Stage } from './stage-under-test.ts';

/** More than a second's limit (100) and the burst of the usage plan (200) together, so that both reject some. */
const requests = 400;

/** Optional, since it sends hundreds of requests and uses up the client's limit for a second. */
export const rateLimitCheck: Check = { name: `rejects the excess of ${requests} requests with 429`, run: checkBurst };

async function checkBurst(stage: Stage): Promise<string> {
  const { token } = stage;
  const responses = await Promise.all(Array.from({ length: requests }, () => send(stage, 'GET', '/health', { token })));
  const accepted = responses.filter(({ status }) => status === 200);
  const rejected = responses.filter(({ status }) => status === 429);
  const others = responses.filter(({ status }) => status !== 200 && status !== 429);
  assert.equal(
    others.length,
    0,
    `${others.length} responses were ${others[0]?.status}: does the account allow as many concurrent Lambda executions?`,
  );
  assert.ok(accepted.length > 0, 'no request was accepted');
  assert.ok(rejected.length > 0, 'no request was rejected');
  for (const response of rejected) {
    assertProblem(response, 429, 'rate_limited');
    assertRateHeaders(response);
    assert.match(response.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
  }
  const fromPlan = rejected.filter(isFromGateway).length;
  return `${accepted.length} accepted, ${rejected.length - fromPlan} rejected by the service, ${fromPlan} by the usage plan`;
}

function isFromGateway({ body }: PlainResponse): boolean {
  return String(body.detail).startsWith('The gateway');
}
