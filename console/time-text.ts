// Times and lengths of time as people read them. Moments are shown in UTC, the time of the service's records, so that
// two people who look at the same incident from two places talk about the same time.

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** The two largest units: `3 d 4 h`, `2 h 5 min`, `12 min`. */
export function durationText(lengthMs: number): string {
  const length = Math.abs(lengthMs);
  if (length < minute) return `${Math.floor(length / second)} s`;
  const units: [number, string][] = [
    [day, 'd'],
    [hour, 'h'],
    [minute, 'min'],
  ];
  const first = units.findIndex(([size]) => length >= size);
  const [size, name] = units[first]!;
  const [smaller, smallerName] = units[first + 1] ?? [];
  const whole = `${Math.floor(length / size)} ${name}`;
  const rest = smaller === undefined ? 0 : Math.floor((length % size) / smaller);
  return rest === 0 ? whole : `${whole} ${rest} ${smallerName}`;
}

export function agoText(at: string, nowMs: number): string {
  const length = nowMs - Date.parse(at);
  if (length < -minute) return `in ${durationText(length)}`;
  if (length < minute) return 'just now';
  if (length < 30 * day) return `${largestUnit(length)} ago`;
  return at.slice(0, 10);
}

export function momentText(at: string): string {
  return `${at.slice(0, 10)} ${at.slice(11, 19)} UTC`;
}

function largestUnit(length: number): string {
  if (length >= day) return `${Math.floor(length / day)} d`;
  if (length >= hour) return `${Math.floor(length / hour)} h`;
  return `${Math.floor(length / minute)} min`;
}
