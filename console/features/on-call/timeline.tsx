import '../../ui/calendar.css';
import { type CSSProperties, type PointerEvent, useRef, useState } from 'react';
import type { Schedule, ShiftView } from '../../../contract/schedules.ts';
import { formatInitials, formatPerson } from '../../ui/person.ts';
import { useNow } from '../../ui/screen.ts';
import { formatLocalClock, formatLocalDay, formatPlannedTime, formatWeekday, toDayStart } from '../../ui/time.ts';

// The shifts of two weeks: what each layer and the overrides contribute, and the result. A drag on the result, or Enter on
// one of its shifts, asks for an override.

export interface Period {
  startMs: number;
  endMs: number;
}

interface TimelineProps {
  schedule: Schedule;
  shifts: readonly ShiftView[];
  period: Period;
  canOverride: boolean;
  onSelect(period: Period, shift?: ShiftView): void;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const tickMs = 60_000;

export function Timeline({ schedule, shifts, period, canOverride, onSelect }: TimelineProps) {
  const hasOverrides = shifts.some(({ source }) => source === 'override');
  const toShare = (atMs: number) => ((atMs - period.startMs) / (period.endMs - period.startMs)) * 100;
  const now = toShare(useNow(tickMs));
  return (
    <div className="calendar calendar-crowded">
      <div className="calendar-row calendar-head" aria-hidden="true">
        <span />
        <div className="calendar-track">
          <Days period={period} toShare={toShare} />
          <span className="calendar-now-label" style={{ left: `clamp(32px, ${now}%, 100% - 32px)` }}>
            Now {formatLocalClock(new Date())}
          </span>
        </div>
      </div>
      <ul className="calendar-rows" aria-label={`Shifts of ${schedule.name}`}>
        {hasOverrides && (
          <Row title="Overrides" shifts={shifts.filter(({ source }) => source === 'override')} toShare={toShare} />
        )}
        {schedule.layers.map(({ name }, index) => (
          <Row
            // Layers have no ids, and their names need not differ.
            // biome-ignore lint/suspicious/noArrayIndexKey: the position of a layer is its identity
            key={index}
            title={`${index + 1}. ${name}`}
            shifts={shifts.filter(({ layer }) => layer === index + 1)}
            toShare={toShare}
          />
        ))}
        <li className="calendar-row">
          <strong>On call</strong>
          <Result {...{ shifts, period, toShare, canOverride, onSelect, now }} />
        </li>
      </ul>
    </div>
  );
}

function Days({ period, toShare }: { period: Period; toShare(atMs: number): number }) {
  const first = formatLocalDay(new Date(period.startMs));
  const days = Array.from({ length: Math.round((period.endMs - period.startMs) / dayMs) }, (_, index) =>
    toDayStart(first, index),
  );
  return days.map((day) => (
    <span key={day.getTime()} className="calendar-day" style={{ left: `${toShare(day.getTime())}%` }}>
      {formatWeekday(day)}
      <br />
      {Number(formatLocalDay(day).slice(-2))}
    </span>
  ));
}

interface RowProps {
  title: string;
  shifts: readonly ShiftView[];
  toShare(atMs: number): number;
}

function Row({ title, shifts, toShare }: RowProps) {
  return (
    <li className="calendar-row">
      <span className="wrapping">{title}</span>
      <div className="calendar-track">
        {shifts.map((shift) => (
          <span
            key={shift.starts_at}
            role="img"
            aria-label={describeShift(shift)}
            title={describeShift(shift)}
            className={`calendar-bar shift ${shift.source}`}
            style={{ ...toPosition(shift, toShare), ...toColor(shift) }}
          >
            <Label shift={shift} />
          </span>
        ))}
      </div>
    </li>
  );
}

interface ResultProps extends Omit<TimelineProps, 'schedule'> {
  toShare(atMs: number): number;
  now: number;
}

function Result({ shifts, period, toShare, canOverride, onSelect, now }: ResultProps) {
  const track = useRef<HTMLDivElement>(null);
  const [drag, setDrag] = useState<{ fromMs: number; toMs: number }>();
  const toTime = (clientX: number) => {
    const { left = 0, width = 1 } = track.current?.getBoundingClientRect() ?? {};
    const atMs = period.startMs + Math.min(1, Math.max(0, (clientX - left) / width)) * (period.endMs - period.startMs);
    return Math.round(atMs / hourMs) * hourMs;
  };
  const start = ({ clientX, button }: PointerEvent) => {
    if (!canOverride || button !== 0) return;
    setDrag({ fromMs: toTime(clientX), toMs: toTime(clientX) });
  };
  const move = (event: PointerEvent) => {
    if (!drag) return;
    // Captured with the first movement, so that a press without a movement stays a click on the shift.
    event.currentTarget.setPointerCapture(event.pointerId);
    setDrag({ ...drag, toMs: toTime(event.clientX) });
  };
  const end = () => {
    setDrag(undefined);
    if (!drag || drag.fromMs === drag.toMs) return;
    onSelect({ startMs: Math.min(drag.fromMs, drag.toMs), endMs: Math.max(drag.fromMs, drag.toMs) });
  };
  return (
    <div
      ref={track}
      className={`calendar-track shifts${canOverride ? ' selectable' : ''}`}
      onPointerDown={start}
      onPointerMove={move}
      onPointerUp={end}
      onPointerCancel={() => setDrag(undefined)}
    >
      {shifts.map((shift) => (
        <button
          key={shift.starts_at}
          type="button"
          disabled={!canOverride}
          aria-label={describeShift(shift)}
          title={describeShift(shift)}
          className={`calendar-bar shift ${shift.source}`}
          style={{ ...toPosition(shift, toShare), ...toColor(shift) }}
          onClick={() => onSelect(toPeriod(shift), shift)}
        >
          <Label shift={shift} />
        </button>
      ))}
      {drag && (
        <span
          className="shift-selection"
          style={toPosition(
            {
              starts_at: new Date(Math.min(drag.fromMs, drag.toMs)).toISOString(),
              ends_at: new Date(Math.max(drag.fromMs, drag.toMs)).toISOString(),
            },
            toShare,
          )}
        />
      )}
      <span className="calendar-now" style={{ left: `${now}%` }} />
    </div>
  );
}

function toPeriod({ starts_at, ends_at }: Pick<ShiftView, 'starts_at' | 'ends_at'>): Period {
  return { startMs: Date.parse(starts_at), endMs: Date.parse(ends_at) };
}

function toPosition(shift: Pick<ShiftView, 'starts_at' | 'ends_at'>, toShare: (atMs: number) => number) {
  const { startMs, endMs } = toPeriod(shift);
  return { left: `${toShare(startMs)}%`, width: `${toShare(endMs) - toShare(startMs)}%` };
}

const sourceNames = { layer: 'layer', override: 'override', gap: 'gap' } as const;

function describeShift(shift: ShiftView): string {
  const who = shift.person === null ? 'Nobody' : formatPerson(shift.person);
  const source = shift.source === 'layer' ? `layer ${shift.layer}` : sourceNames[shift.source];
  return `${who}, ${source}, ${formatPlannedTime(shift.starts_at)} to ${formatPlannedTime(shift.ends_at)}`;
}

/** The name, or only the initials where there is no room. */
function Label({ shift: { person } }: { shift: ShiftView }) {
  const name = person === null ? 'Nobody' : formatPerson(person);
  return (
    <span className="shift-name" data-initials={formatInitials(name)}>
      {name}
    </span>
  );
}

/** The same person has the same color everywhere. */
function toColor({ person }: ShiftView): CSSProperties {
  if (person === null) return {};
  let hash = 0;
  for (const character of person) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 360;
  return { '--shift-hue': hash } as CSSProperties;
}
