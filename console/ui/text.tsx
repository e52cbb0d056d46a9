import { serverNow } from '../base/server-clock.ts';
import { Box } from './kit/index.ts';
import { formatInitials, formatPerson } from './person.ts';
import { useNow } from './screen.ts';
import { formatAge, formatDuration, formatPlannedTime, formatTime } from './time.ts';

/** A person by name, with initials; the tooltip shows the email address. */
export function Person({ address }: { address: string }) {
  return (
    <span className="person" title={address}>
      <span className="initials" aria-hidden="true">
        {formatInitials(address)}
      </span>
      {formatPerson(address)}
    </span>
  );
}

/** A person that a text mentions. */
export function Mention({ address }: { address: string }) {
  return (
    <span className="mention" title={address}>
      @{formatPerson(address)}
    </span>
  );
}

const tickMs = 30_000;

/** The age of a time; the tooltip shows the exact time. */
export function Ago({ at }: { at: string }) {
  const now = useNow(tickMs);
  return (
    <time dateTime={at} title={formatTime(at)} className="unbroken">
      {formatAge(at, now)}
    </time>
  );
}

/** A duration on one line: a break between the digits of a number would change its meaning. */
export function Duration({ lengthMs, suffix = '' }: { lengthMs: number; suffix?: string }) {
  return <span className="unbroken">{formatDuration(lengthMs) + suffix}</span>;
}

/** An exact time; the tooltip shows its age. */
export function Moment({ at }: { at: string }) {
  return (
    <time dateTime={at} title={formatAge(at, serverNow())}>
      {formatTime(at)}
    </time>
  );
}

/** A planned time, to the minute and with the weekday; the tooltip shows how far away it is. */
export function PlannedTime({ at }: { at: string }) {
  return (
    <time dateTime={at} title={formatAge(at, serverNow())}>
      {formatPlannedTime(at)}
    </time>
  );
}

export const noValue = <Box muted>–</Box>;
