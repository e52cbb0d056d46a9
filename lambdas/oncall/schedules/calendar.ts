import { hash, timingSafeEqual } from 'node:crypto';
import { ICalCalendar, ICalCalendarMethod } from 'ical-generator';
import { apiPrefixes, stageName } from '../../../contract/http.ts';
import type { routes } from '../../../contract/routes.ts';
import { dayMs, toIso } from '../../platform/clock.ts';
import type { UseCase } from '../../platform/http/response.ts';
import { randomHex } from '../../platform/ids.ts';
import { type Changer, notFound } from '../../records/change-record.ts';
import type { ItemStore } from '../../records/item-store.ts';
import { type StoredRecord, toApiAuthor } from '../../records/record.ts';
import { recordSortKey, toRecord } from '../../records/record-item.ts';
import { type ScheduleDocument, scheduleResource } from './schedule.ts';
import { computeShifts } from './shifts.ts';

// The calendar feed of a schedule. Calendar applications cannot send a token, so a secret key in the address replaces it.
// Only a hash of the key is stored.

export function createCalendarKey(
  change: Changer<ScheduleDocument>,
  publicUrl: string,
): UseCase<typeof routes.createCalendarKey> {
  return async ({ params: { id } }, { caller }) => {
    const key = randomHex(24);
    await change({
      id,
      author: toApiAuthor(caller),
      apply: ({ document }, nowMs) => ({
        document: { ...document, calendar_key_hash: hashKey(key), calendar_key_created_at: toIso(nowMs) },
      }),
    });
    const path = `/${stageName}${apiPrefixes[0]}/${scheduleResource.collection}/${id}/calendar.ics`;
    return { status: 201, body: { key, url: `${publicUrl}${path}?key=${key}` } };
  };
}

export function deleteCalendarKey(change: Changer<ScheduleDocument>): UseCase<typeof routes.deleteCalendarKey> {
  return async ({ params: { id } }, { caller }) => {
    await change({
      id,
      author: toApiAuthor(caller),
      apply: ({ document }) => ({
        document: { ...document, calendar_key_hash: null, calendar_key_created_at: null },
      }),
    });
    return { status: 204 };
  };
}

const pastDays = 30;

const futureDays = 92;

/** A wrong key and an unknown schedule return the same error. */
export function getCalendar(store: Pick<ItemStore, 'get'>, serviceDomain: string): UseCase<typeof routes.getCalendar> {
  return async ({ params: { id }, query: { key, person } }, { clock }) => {
    const item = await store.get(id, recordSortKey);
    const record = item && toRecord<ScheduleDocument>(item);
    if (!record || record.deleted || !isKey(key, record.document.calendar_key_hash)) throw notFound(id);
    // Whole days, so that a shift that began earlier has the same start in every response of a day.
    const today = Math.floor(clock.now() / dayMs) * dayMs;
    const period = { fromMs: today - pastDays * dayMs, toMs: today + futureDays * dayMs };
    return { status: 200, body: formatCalendar(record, { ...period, person, serviceDomain }) };
  };
}

interface CalendarOptions {
  fromMs: number;
  toMs: number;
  person: string | undefined;
  serviceDomain: string;
}

/** Times are in UTC, which every application converts to the time zone of its user. */
function formatCalendar(
  { id, document, updated_at }: StoredRecord<ScheduleDocument>,
  { fromMs, toMs, person, serviceDomain }: CalendarOptions,
): string {
  const calendar = new ICalCalendar({
    name: `On call: ${document.name}`,
    prodId: { company: serviceDomain, product: 'on-call' },
    method: ICalCalendarMethod.PUBLISH,
    // Applications that follow it fetch the feed every hour.
    ttl: 3_600,
  });
  for (const shift of computeShifts(document, fromMs, toMs)) {
    if (shift.person === null || (person !== undefined && shift.person !== person)) continue;
    calendar.createEvent({
      id: `${id}-${shift.startMs}@${serviceDomain}`,
      stamp: new Date(updated_at),
      start: new Date(shift.startMs),
      end: new Date(shift.endMs),
      summary: `On call: ${shift.person} (${document.name})`,
    });
  }
  return calendar.toString();
}

function isKey(key: string, stored: string | null): boolean {
  return stored !== null && timingSafeEqual(Buffer.from(hashKey(key)), Buffer.from(stored));
}

function hashKey(key: string): string {
  return hash('sha256', key, 'hex');
}
