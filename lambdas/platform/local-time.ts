import { Temporal } from 'temporal-polyfill';

// Local times of a schedule or calendar and the instants at which they happen. A clock change never repeats or loses a local time: a
// local time that is skipped happens at the end of the gap, and one that occurs twice happens the first time. A later
// local time therefore never happens before an earlier one.

export type LocalTime = Temporal.PlainDateTime;

export function toInstantMs(local: LocalTime, timeZone: string): number {
  const earlier = local.toZonedDateTime(timeZone, { disambiguation: 'earlier' });
  if (earlier.toPlainDateTime().equals(local)) return earlier.epochMilliseconds;
  // Inside a gap, the earlier interpretation lies before it, and the next transition is its end.
  return earlier.getTimeZoneTransition('next')?.epochMilliseconds ?? earlier.epochMilliseconds;
}

export function toLocalTime(atMs: number, timeZone: string): LocalTime {
  return Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(timeZone).toPlainDateTime();
}

/** From a date and a time of day, such as 2026-03-02 and 09:00. */
export function parseLocalTime(date: string, timeOfDay: string): LocalTime {
  return Temporal.PlainDateTime.from(`${date}T${timeOfDay}`);
}

export const isBefore = (a: LocalTime, b: LocalTime): boolean => Temporal.PlainDateTime.compare(a, b) < 0;
