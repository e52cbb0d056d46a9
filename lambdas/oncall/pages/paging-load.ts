import pMap from 'p-map';
import { idFormats } from '../../../contract/ids.ts';
import type { PersonLoad } from '../../../contract/paging-load.ts';
import type { routes } from '../../../contract/routes.ts';
import { dayMs, toUtcDate } from '../../platform/clock.ts';
import type { UseCase } from '../../platform/http/response.ts';
import type { ItemStore } from '../../records/item-store.ts';
import { readString } from '../../records/items.ts';

// Pages per person and night.
//
// | Access pattern      | Call  | Key                                            |
// |---------------------|-------|------------------------------------------------|
// | the pages of a day  | Query | pk = paged#<UTC date>, sk = <page id>#<person> |

/** One item per page and person, by the day of the first message. */
export function toLoadPartition(date: string): string {
  return `paged#${date}`;
}

/** Of one day: more would be an outage of everything. */
const maxPerDay = 5_000;

const concurrency = 8;

/** From 22:00 to 07:00. */
const [nightStarts, nightEnds] = [22, 7];

export function getPagingLoad(store: Pick<ItemStore, 'range'>): UseCase<typeof routes.getPagingLoad> {
  return async ({ query: { from, to, time_zone } }) => {
    // A local day overlaps the UTC days around it.
    const firstMs = Date.parse(from) - dayMs;
    const days = Math.round((Date.parse(to) - firstMs) / dayMs) + 2;
    const dates = Array.from({ length: days }, (_, index) => toUtcDate(firstMs + index * dayMs));
    const found = await pMap(
      dates,
      (date) => store.range({ pk: toLoadPartition(date), prefix: idFormats.page.prefix }, maxPerDay + 1),
      {
        concurrency,
      },
    );
    const toLocal = createLocalTime(time_zone);
    const paged = found
      .flatMap((items) => items.slice(0, maxPerDay))
      .map((item) => ({ person: readString(item, 'person'), ...toLocal(Date.parse(readString(item, 'at'))) }))
      .filter(({ date }) => date >= from && date <= to);
    return {
      status: 200,
      body: { data: countLoad(paged), truncated: found.some((items) => items.length > maxPerDay) },
    };
  };
}

interface Paged {
  person: string;
  date: string;
  hour: number;
}

function countLoad(paged: readonly Paged[]): PersonLoad[] {
  const people = new Map<string, { pages: number; nights: Map<string, number> }>();
  for (const { person, date, hour } of paged) {
    const load = people.get(person) ?? { pages: 0, nights: new Map() };
    people.set(person, load);
    load.pages++;
    const night = toNight(date, hour);
    if (night !== undefined) load.nights.set(night, (load.nights.get(night) ?? 0) + 1);
  }
  return [...people]
    .map(([person, { pages, nights }]) => ({
      person,
      pages,
      night_pages: [...nights.values()].reduce((sum, each) => sum + each, 0),
      nights: [...nights].sort(([a], [b]) => (a < b ? -1 : 1)).map(([night, each]) => ({ night, pages: each })),
    }))
    .sort((a, b) => b.night_pages - a.night_pages || b.pages - a.pages || (a.person < b.person ? -1 : 1));
}

/** The date of the evening; undefined during the day. */
function toNight(date: string, hour: number): string | undefined {
  if (hour >= nightStarts) return date;
  return hour < nightEnds ? toUtcDate(Date.parse(date) - dayMs) : undefined;
}

function createLocalTime(timeZone: string): (atMs: number) => { date: string; hour: number } {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    hourCycle: 'h23',
  });
  return (atMs) => {
    const parts = Object.fromEntries(format.formatToParts(atMs).map(({ type, value }) => [type, value]));
    return { date: `${parts.year}-${parts.month}-${parts.day}`, hour: Number(parts.hour) };
  };
}
