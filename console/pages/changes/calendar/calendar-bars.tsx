import type { CalendarEntry, Collision } from '../../../../contract/change-calendar.ts';
import { PageLink } from '../../../components/page-link.tsx';
import { serverNow } from '../../../server-clock.ts';
import { momentText } from '../../../time-text.ts';
import { changePath, stateNames } from '../change-words.ts';
import { type CalendarRange, placeOf } from './calendar-range.ts';

interface CalendarBarsProps {
  range: CalendarRange;
  entries: readonly CalendarEntry[];
  collisions: readonly Collision[];
}

const dayMs = 86_400_000;

/** One row for each change, one bar for its window; what collides is marked by colour and by a sign. */
export function CalendarBars({ range, entries, collisions }: CalendarBarsProps) {
  const colliding = new Set(collisions.flatMap(({ change_ids }) => change_ids));
  return (
    <div className="calendar">
      <div className="calendar-row calendar-head" aria-hidden="true">
        <span />
        <Days range={range} />
      </div>
      <ul className="calendar-rows" aria-label="Planned changes">
        {entries.map((entry) => (
          <li key={entry.id} className="calendar-row">
            <span className="wrapping">
              <PageLink to={changePath(entry.id)}>{entry.id}</PageLink> {entry.short_description}
            </span>
            <Bar entry={entry} range={range} isColliding={colliding.has(entry.id)} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function Bar({ entry, range, isColliding }: { entry: CalendarEntry; range: CalendarRange; isColliding: boolean }) {
  const { left, width } = placeOf(entry, range);
  const { left: now } = placeOf({ planned_start: new Date(serverNow()).toISOString(), planned_end: '' }, range);
  const window = `${momentText(entry.planned_start)} to ${momentText(entry.planned_end)}`;
  const text = `${stateNames[entry.state]}, ${window}${isColliding ? ', conflicts' : ''}`;
  return (
    <div className="calendar-track">
      {now > 0 && now < 100 && <span className="calendar-now" style={{ left: `${now}%` }} />}
      <span
        role="img"
        aria-label={text}
        title={text}
        className={`calendar-bar calendar-${entry.state}${isColliding ? ' calendar-colliding' : ''}`}
        style={{ left: `${left}%`, width: `${width}%` }}
      />
      {isColliding && (
        <span className="calendar-sign" style={{ left: `min(${left + width}%, 100% - 16px)` }} aria-hidden="true">
          ⚠
        </span>
      )}
    </div>
  );
}

/** At most some fourteen names of days have room. */
const mostNamed = 14;

function Days({ range: { from, days } }: { range: CalendarRange }) {
  const every = Math.ceil(days / mostNamed);
  const shown = Array.from({ length: Math.ceil(days / every) }, (_, index) => index * every);
  return (
    <div className="calendar-track">
      {shown.map((day) => (
        <span key={day} className="calendar-day" style={{ left: `${(day / days) * 100}%` }}>
          {new Date(Date.parse(from) + day * dayMs).toISOString().slice(5, 10)}
        </span>
      ))}
    </div>
  );
}
