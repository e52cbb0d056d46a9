import Box from '@cloudscape-design/components/box';
import { splitName } from './person.ts';
import { useNow } from './screen.ts';
import { formatAge, formatDuration, formatPlannedTime, formatTime } from './time.ts';

/** An email address, with a line break allowed before the domain. */
export function Email({ address }: { address: string }) {
  const at = address.lastIndexOf('@');
  return (
    <span className="wrapping">
      {address.slice(0, Math.max(0, at))}
      <wbr />
      {address.slice(Math.max(0, at))}
    </span>
  );
}

/** The name part of an email address, for narrow columns; the tooltip shows the full address. */
export function Person({ address }: { address: string }) {
  const [first, rest] = splitName(address);
  return (
    <span className="wrapping" title={address}>
      {first}
      {rest !== '' && <wbr />}
      {rest}
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

/** A time in UTC; the tooltip shows it in the user's time zone. */
export function Moment({ at }: { at: string }) {
  return (
    <time dateTime={at} title={formatPlannedTime(at)}>
      {formatTime(at)}
    </time>
  );
}

/** A time in the user's time zone, with UTC beside it. It may wrap between the day, the time and UTC. */
export function PlannedTime({ at }: { at: string }) {
  // In UTC there is nothing in parentheses, and the zone stays beside the time.
  const [weekday, day, clock = '', ...utc] = formatPlannedTime(at).replace(/ UTC$/, '\u00a0UTC').split(' ');
  return (
    <time dateTime={at}>
      <span className="unbroken">
        {weekday} {day}
      </span>{' '}
      <span className="unbroken">{clock}</span> <span className="unbroken">{utc.join(' ')}</span>
    </time>
  );
}

export const noValue = <Box color="text-status-inactive">–</Box>;
