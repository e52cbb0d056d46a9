import type { routes } from '../../contract/routes.ts';
import { dayMs, toUtcDate } from '../platform/clock.ts';
import type { UseCase } from '../platform/http/response.ts';
import type { DayUsage, UsageStore } from './cache/usage-store.ts';

export function getAiStatistics(usage: Pick<UsageStore, 'read'>): UseCase<typeof routes.getAiStatistics> {
  return async ({ query: { days: dayCount } }, { clock }) => {
    const nowMs = clock.now();
    const dates = Array.from({ length: dayCount }, (_, index) => toUtcDate(nowMs - (dayCount - 1 - index) * dayMs));
    const counts = await usage.read(dates);
    const days = dates.map((date) => ({ date, ...(counts.get(date) ?? { hits: 0, misses: 0 }) }));
    const sum = (outcome: keyof DayUsage) => days.reduce((total, day) => total + day[outcome], 0);
    const total = { hits: sum('hits'), misses: sum('misses') };
    return { status: 200, body: { ...withRate(total), days: days.map(withRate) } };
  };
}

function withRate<Usage extends DayUsage>(usage: Usage): Usage & { hit_rate: number | null } {
  const answers = usage.hits + usage.misses;
  return { ...usage, hit_rate: answers === 0 ? null : usage.hits / answers };
}
