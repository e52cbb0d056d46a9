// Times of other tools. Those without an offset are in the time zone of the mapping.

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

const clock = '(?:[T ,]+(\\d{1,2}):(\\d\\d)(?::(\\d\\d)(?:[.,]\\d{1,9})?)? ?([AaPp][Mm])?)?';
const yearFirst = new RegExp(`^(\\d{4})-(\\d\\d)-(\\d\\d)${clock}$`);
const named = new RegExp(`^(\\d{1,2})[/ -]([A-Za-z]{3})[a-z]{0,6}[/ -](\\d{2,4})${clock}$`);
const numeric = new RegExp(`^(\\d{1,2})[/.-](\\d{1,2})[/.-](\\d{2,4})${clock}$`);

interface TimeFormat {
  time_zone?: string | undefined;
  date_order?: 'DMY' | 'MDY' | undefined;
}

/** An ISO time in UTC; undefined if the text is no time, or its day and month cannot be told apart. */
export function parseTime(given: string, { time_zone = 'UTC', date_order }: TimeFormat): string | undefined {
  const text = given.trim();
  const parts = readParts(text, date_order);
  if (parts) return toUtc(parts, time_zone);
  if (/^\d{10}$|^\d{13}$/.test(text)) return new Date(Number(text) * (text.length === 10 ? 1_000 : 1)).toISOString();
  const hasOffset = /(?:Z|GMT|UTC|[+-]\d\d:?\d\d)$/.test(text);
  const atMs = hasOffset ? Date.parse(text.replace(/([+-]\d\d)(\d\d)$/, '$1:$2')) : Number.NaN;
  return Number.isNaN(atMs) ? undefined : new Date(atMs).toISOString();
}

type Parts = [year: number, month: number, day: number, hour: number, minute: number, second: number];

function readParts(text: string, order: TimeFormat['date_order']): Parts | undefined {
  const [found, names] =
    [
      [yearFirst.exec(text), 'YMD'],
      [named.exec(text), 'DMY'],
      [order ? numeric.exec(text) : null, order ?? ''],
    ].find(([match]) => match !== null) ?? [];
  if (!found || typeof found === 'string' || typeof names !== 'string') return undefined;
  const read = (part: string) => found[names.indexOf(part) + 1] ?? '';
  const month = /^\d/.test(read('M')) ? Number(read('M')) : months.indexOf(read('M').toLowerCase()) + 1;
  const year = Number(read('Y')) + (read('Y').length === 2 ? 2_000 : 0);
  const [, , , , hour = '0', minute = '0', second = '0', half] = found;
  const hours = half ? (Number(hour) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0) : Number(hour);
  const parts: Parts = [year, month, Number(read('D')), hours, Number(minute), Number(second)];
  return month >= 1 && month <= 12 && parts[2] >= 1 && parts[2] <= 31 && hours < 24 ? parts : undefined;
}

/** The offset of the zone at about that time gives the time, and the offset at that time corrects it. */
function toUtc([year, month, ...rest]: Parts, zone: string): string {
  const localMs = Date.UTC(year, month - 1, ...rest);
  const first = localMs - getOffsetMs(localMs, zone);
  return new Date(localMs - getOffsetMs(first, zone)).toISOString();
}

function getOffsetMs(atMs: number, timeZone: string): number {
  if (timeZone === 'UTC') return 0;
  const shown = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' }).formatToParts(atMs);
  const name = shown.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours = '0', minutes = '0'] = /GMT([+-])(\d\d):(\d\d)/.exec(name) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}
