import '../../ui/calendar.css';
import type { CalendarEntry, Collision } from '../../../contract/change-calendar.ts';
import { changePath, stateNames } from '../../resources/change-words.ts';
import { PageLink } from '../../ui/links.tsx';
import { useNow } from '../../ui/screen.ts';
import { formatLocalClock, formatMonthDay, formatPlannedTime, formatWeekday } from '../../ui/time.ts';
import { type CalendarRange, getDay, toPosition, toShare } from './calendar-range.ts';

interface CalendarBarsProps {
  range: CalendarRange;
  entries: readonly CalendarEntry[];
  collisions: readonly Collision[];
}

const tickMs = 60_000;

/** One row per change with a bar for its window; conflicts have their own color and sign. */
export function CalendarBars({ range, entries, collisions }: CalendarBarsProps) {
  const colliding = new Set(collisions.flatMap(({ change_ids }) => change_ids));
  const nowMs = useNow(tickMs);
  const share = toShare(nowMs, range);
  const now = share > 0 && share < 1 ? share * 100 : undefined;
  const background = shadeWeekends(range);
  return (
    <div className="calendar">
      <div className="calendar-row calendar-head" aria-hidden="true">
        <span />
        <div className="calendar-track">
          <Days range={range} />
          {now !== undefined && (
            <span className="calendar-now-label" style={{ left: `clamp(32px, ${now}%, 100% - 32px)` }}>
              Now {formatLocalClock(new Date(nowMs))}
            </span>
          )}
        </div>
      </div>
      <ul className="calendar-rows" aria-label="Planned changes">
        {entries.map((entry) => (
          <li key={entry.id} className="calendar-row">
            <span className="wrapping">
              <PageLink to={changePath(entry.id)}>{entry.id}</PageLink>{' '}
              <PageLink to={changePath(entry.id)} variant="secondary">
                {entry.short_description}
              </PageLink>
            </span>
            <div className="calendar-track" style={{ background }}>
              {now !== undefined && <span className="calendar-now" style={{ left: `${now}%` }} />}
              <Bar entry={entry} range={range} isColliding={colliding.has(entry.id)} />
            </div>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Short work in a long range must stay visible. */
const minBarPx = 12;

function Bar({ entry, range, isColliding }: { entry: CalendarEntry; range: CalendarRange; isColliding: boolean }) {
  const { left, width } = toPosition(entry, range);
  const window = `${formatPlannedTime(entry.planned_start)} to ${formatPlannedTime(entry.planned_end)}`;
  const text = `${stateNames[entry.state]}, ${window}${isColliding ? ', conflicts' : ''}`;
  const start = `min(${left}%, 100% - ${minBarPx}px)`;
  return (
    <>
      <span
        role="img"
        aria-label={text}
        title={text}
        className={`calendar-bar calendar-${entry.state}${isColliding ? ' calendar-colliding' : ''}`}
        style={{ left: start, width: `${width}%`, minWidth: minBarPx }}
      />
      {isColliding && (
        <span
          className="calendar-sign"
          style={{ left: `min(max(${left + width}%, ${start} + ${minBarPx}px), 100% - 16px)` }}
          aria-hidden="true"
        >
          ⚠
        </span>
      )}
    </>
  );
}

/** In longer ranges only Mondays have room for a label. */
const maxNamedDays = 14;

const monday = formatWeekday(new Date('2026-03-02T12:00Z'));

function Days({ range }: { range: CalendarRange }) {
  const days = listDays(range).filter(({ date }) => range.days <= maxNamedDays || formatWeekday(date) === monday);
  return (
    <div className={days.length > 7 ? 'calendar-crowded' : ''}>
      {days.map(({ date, from }) => (
        <span key={from} className="calendar-day" style={{ left: `${from}%` }}>
          <b>{formatWeekday(date)}</b>
          <br />
          {formatMonthDay(date)}
        </span>
      ))}
    </div>
  );
}

function listDays(range: CalendarRange) {
  return Array.from({ length: range.days }, (_, index) => {
    const [date, next] = [getDay(range, index), getDay(range, index + 1)];
    return { date, from: toShare(date.getTime(), range) * 100, to: toShare(next.getTime(), range) * 100 };
  });
}

/** One background for all rows is cheaper than elements in each. */
function shadeWeekends(range: CalendarRange): string {
  const weekends = listDays(range).filter(({ date }) => date.getDay() % 6 === 0);
  const stops = weekends.map(
    ({ from, to }) => `transparent ${from}%, var(--weekend) ${from}% ${to}%, transparent ${to}%`,
  );
  return stops.length === 0 ? 'none' : `linear-gradient(to right, ${stops.join(', ')})`;
}
