import { type RateLimit, rateLimits } from '../../contract/rate-limits.ts';
import type { routes } from '../../contract/routes.ts';
import type { UseCase } from '../platform/http/answer.ts';

export const getMe: UseCase<typeof routes.getMe> = async (_input, { caller }) => ({
  status: 200,
  body: {
    id: caller.id,
    email: caller.email,
    kind: caller.kind,
    roles: [...caller.roles],
    rate_limits: Object.entries<RateLimit | null>(rateLimits).flatMap(([name, rateLimit]) =>
      rateLimit ? [{ class: name, limit: rateLimit.limit, window_seconds: rateLimit.windowSeconds }] : [],
    ),
  },
});
