// Converts schedules and escalation policies of PagerDuty and Opsgenie. Whatever has no counterpart is listed in `notes`.

type Row = Readonly<Record<string, unknown>>;

export interface ImportedLayer {
  name: string;
  people: string[];
  shift_length: number;
  shift_unit: 'hours' | 'days' | 'weeks';
  handoff_time: string;
  handoff_weekday: Weekday | null;
  starts_on: string;
  ends_on: string | null;
  restrictions: ImportedRestriction[];
}

export interface ImportedRestriction {
  weekdays: Weekday[];
  from: string;
  to: string;
}

export interface ImportedSchedule {
  /** The id or name by which policies of the other tool refer to it. */
  keys: string[];
  body: { name: string; description?: string; time_zone: string; layers: ImportedLayer[] };
}

export interface ImportedPolicy {
  name: string;
  repeat: number;
  steps: { targets: { type: 'schedule' | 'person' | 'group'; id: string }[]; wait_minutes: number }[];
}

export interface ForeignSchedules {
  schedules: ImportedSchedule[];
  /** Schedules are still named by their keys. */
  policies: ImportedPolicy[];
  notes: string[];
}

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;

type Weekday = (typeof weekdays)[number];

/** PagerDuty names `schedule_layers` or `escalation_rules`, Opsgenie `rotations` or `rules`. */
export function convertSchedules(document: Row): ForeignSchedules {
  const lists = {
    schedules: listRows(document.schedules ?? document.data),
    policies: listRows(document.escalation_policies),
  };
  const escalations = listRows(document.escalations);
  const isOpsgenie = escalations.length > 0 || lists.schedules.some((each) => 'rotations' in each);
  const notes: string[] = [];
  const known = [
    'schedules',
    'data',
    'escalation_policies',
    'escalations',
    'users',
    'limit',
    'offset',
    'more',
    'total',
  ];
  for (const name of Object.keys(document)) if (!known.includes(name)) notes.push(`"${name}" is not imported.`);
  const note = (text: string) => notes.push(text);
  if (isOpsgenie) {
    const schedules = lists.schedules.flatMap((each) => convertOpsgenieSchedule(each, note));
    return { schedules, policies: escalations.flatMap((each) => convertOpsgenieEscalation(each, note)), notes };
  }
  const emails = new Map(listRows(document.users).map(({ id, email }) => [String(id), String(email ?? '')]));
  const schedules = lists.schedules.flatMap((each) => convertPagerDutySchedule(each, emails, note));
  return { schedules, policies: lists.policies.flatMap((each) => convertPagerDutyPolicy(each, emails, note)), notes };
}

type Note = (text: string) => void;

type Emails = ReadonlyMap<string, string>;

function convertPagerDutySchedule(given: Row, emails: Emails, note: Note): ImportedSchedule[] {
  const name = String(given.name ?? given.summary ?? 'Schedule');
  const time_zone = String(given.time_zone ?? 'UTC');
  if (listRows(given.overrides_subschedule ?? []).length > 0) note(`${name}: overrides are not imported.`);
  // PagerDuty has returned layers in both orders.
  if (listRows(given.schedule_layers).length > 1)
    note(`${name}: the first layer of the file takes precedence; check the order of the layers.`);
  const layers = listRows(given.schedule_layers).flatMap((layer, index) => {
    const title = String(layer.name ?? `Layer ${index + 1}`);
    const people = listRows(layer.users).flatMap((entry) => {
      const user = (entry.user ?? entry) as Row;
      const email = user.email ? String(user.email) : emails.get(String(user.id));
      if (!email)
        note(`${name}, ${title}: ${user.summary ?? user.id} has no email address in "users" and is left out.`);
      return email ? [email.toLowerCase()] : [];
    });
    const shift = toShift(Number(layer.rotation_turn_length_seconds));
    if (!shift || people.length === 0) {
      note(
        `${name}, ${title}: the layer is left out, because it has ${shift ? 'no people' : 'no whole number of hours'}.`,
      );
      return [];
    }
    const start = toLocal(String(layer.rotation_virtual_start ?? layer.start), time_zone);
    const end = layer.end ? toLocal(String(layer.end), time_zone).date : null;
    const restrictions = groupByTimes(listRows(layer.restrictions).flatMap(splitPagerDutyRestriction));
    return [toLayer(title, people, shift, start, end, restrictions)];
  });
  if (layers.length === 0) {
    note(`${name}: the schedule is left out, because it has no layers.`);
    return [];
  }
  const description = given.description ? { description: String(given.description) } : {};
  return [{ keys: [String(given.id)], body: { name, ...description, time_zone, layers } }];
}

function convertPagerDutyPolicy(given: Row, emails: Emails, note: Note): ImportedPolicy[] {
  const name = String(given.name ?? given.summary ?? 'Policy');
  const steps = listRows(given.escalation_rules).map((rule) => ({
    targets: listRows(rule.targets).flatMap(({ id, type, summary }): ImportedPolicy['steps'][number]['targets'] => {
      if (String(type).startsWith('schedule')) return [{ type: 'schedule', id: String(id) }];
      const email = emails.get(String(id));
      if (!email) note(`${name}: the target ${summary ?? id} has no email address in "users" and is left out.`);
      return email ? [{ type: 'person', id: email.toLowerCase() }] : [];
    }),
    wait_minutes: limitWait(Number(rule.escalation_delay_in_minutes ?? 30), name, note),
  }));
  return toPolicy(name, steps, Number(given.num_loops ?? 0), note);
}

function convertOpsgenieSchedule(given: Row, note: Note): ImportedSchedule[] {
  const name = String(given.name ?? 'Schedule');
  const time_zone = String(given.timezone ?? 'UTC');
  const rotations = listRows(given.rotations);
  if (given.enabled === false) note(`${name}: the schedule is disabled in Opsgenie and is imported as an active one.`);
  if (rotations.length > 1)
    note(`${name}: rotations that are on call at the same time become layers; the first one takes precedence.`);
  const layers = rotations.flatMap((rotation, index) => {
    const title = String(rotation.name ?? `Rotation ${index + 1}`);
    const people = listRows(rotation.participants).flatMap(({ type, username, name: team, id }) => {
      if (username) return [String(username).toLowerCase()];
      note(`${name}, ${title}: the participant ${team ?? id ?? type} is not a person and is left out.`);
      return [];
    });
    const unit = { hourly: 'hours', daily: 'days', weekly: 'weeks' }[
      String(rotation.type)
    ] as ImportedLayer['shift_unit'];
    if (!unit || people.length === 0) {
      note(`${name}, ${title}: the rotation is left out, because it has ${unit ? 'no people' : 'an unknown type'}.`);
      return [];
    }
    const start = toLocal(String(rotation.startDate), time_zone);
    const end = rotation.endDate ? toLocal(String(rotation.endDate), time_zone).date : null;
    const shift = { shift_unit: unit, shift_length: Number(rotation.length ?? 1) };
    return [
      toLayer(title, people, shift, start, end, toOpsgenieRestrictions(rotation.timeRestriction as Row | undefined)),
    ];
  });
  if (layers.length === 0) {
    note(`${name}: the schedule is left out, because it has no rotations.`);
    return [];
  }
  const description = given.description ? { description: String(given.description) } : {};
  return [{ keys: [String(given.id), name], body: { name, ...description, time_zone, layers } }];
}

/** Delays count from the creation of the alert, waits from the step before. */
function convertOpsgenieEscalation(given: Row, note: Note): ImportedPolicy[] {
  const name = String(given.name ?? 'Escalation');
  const rules = listRows(given.rules).map((rule) => ({ ...rule, minutes: toMinutes(rule.delay as Row) })) as (Row & {
    minutes: number;
  })[];
  const delays = [...new Set(rules.map(({ minutes }) => minutes))].sort((a, b) => a - b);
  if ((delays[0] ?? 0) > 0) note(`${name}: the first step pages at once instead of after ${delays[0]} minutes.`);
  const steps = delays.map((minutes, index) => ({
    targets: rules
      .filter((rule) => rule.minutes === minutes)
      .flatMap((rule): ImportedPolicy['steps'][number]['targets'] => {
        const { type, username, id, name: target } = rule.recipient as Row;
        if (rule.notifyType && rule.notifyType !== 'default')
          note(`${name}: "notifyType": "${rule.notifyType}" is imported as the person on call.`);
        if (rule.condition && rule.condition !== 'if-not-acked')
          note(`${name}: the condition "${rule.condition}" is not imported.`);
        if (type === 'user' && username) return [{ type: 'person', id: String(username).toLowerCase() }];
        if (type === 'schedule') return [{ type: 'schedule', id: String(id ?? target) }];
        if (type === 'team')
          note(`${name}: the team ${target ?? id} becomes a group; its members must follow the group.`);
        return type === 'team' ? [{ type: 'group', id: String(target ?? id) }] : [];
      }),
    wait_minutes: limitWait((delays[index + 1] ?? minutes + 10) - minutes, name, note),
  }));
  return toPolicy(name, steps, Number((given.repeat as Row | undefined)?.count ?? 0), note);
}

function toPolicy(name: string, steps: ImportedPolicy['steps'], repeat: number, note: Note): ImportedPolicy[] {
  const kept = steps.filter(({ targets }) => targets.length > 0);
  if (kept.length > 10) note(`${name}: only the first 10 steps are imported.`);
  if (repeat > 9) note(`${name}: 9 instead of ${repeat} repetitions.`);
  if (kept.length > 0) return [{ name, repeat: Math.min(9, repeat), steps: kept.slice(0, 10) }];
  note(`${name}: the policy is left out, because it has no targets.`);
  return [];
}

function limitWait(minutes: number, name: string, note: Note): number {
  const limited = Math.min(120, Math.max(1, Math.round(minutes)));
  if (limited !== minutes) note(`${name}: a wait of ${minutes} minutes becomes ${limited} minutes.`);
  return limited;
}

function toMinutes(delay: Row | undefined): number {
  const unit = { minutes: 1, hours: 60, days: 1_440 }[String(delay?.timeUnit ?? 'minutes')] ?? 1;
  return Number(delay?.timeAmount ?? 0) * unit;
}

interface LocalStart {
  date: string;
  time: string;
  weekday: Weekday;
}

function toLayer(
  name: string,
  people: string[],
  shift: Pick<ImportedLayer, 'shift_length' | 'shift_unit'>,
  start: LocalStart,
  ends_on: string | null,
  restrictions: ImportedRestriction[],
): ImportedLayer {
  const handoff_weekday = shift.shift_unit === 'weeks' ? start.weekday : null;
  return {
    name,
    people,
    ...shift,
    handoff_time: start.time,
    handoff_weekday,
    starts_on: start.date,
    ends_on,
    restrictions,
  };
}

function toShift(seconds: number): Pick<ImportedLayer, 'shift_length' | 'shift_unit'> | undefined {
  if (seconds % 604_800 === 0) return { shift_length: seconds / 604_800, shift_unit: 'weeks' };
  if (seconds % 86_400 === 0) return { shift_length: seconds / 86_400, shift_unit: 'days' };
  return seconds % 3_600 === 0 ? { shift_length: seconds / 3_600, shift_unit: 'hours' } : undefined;
}

/** The date and time that clocks in the time zone show. */
function toLocal(at: string, timeZone: string): LocalStart {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'long',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  const parts = Object.fromEntries(format.formatToParts(new Date(at)).map(({ type, value }) => [type, value]));
  return {
    date: `${parts.year}-${parts.month}-${parts.day}`,
    time: `${parts.hour}:${parts.minute}`,
    weekday: String(parts.weekday).toLowerCase() as Weekday,
  };
}

interface Piece {
  weekday: Weekday;
  from: string;
  to: string;
}

/** A restriction of a layer ends within a day, so longer ones become several. */
function splitPagerDutyRestriction({ type, start_time_of_day, duration_seconds, start_day_of_week }: Row): Piece[] {
  const start = parseTime(String(start_time_of_day));
  const minutes = Number(duration_seconds) / 60;
  const first = Number(start_day_of_week ?? 1) - 1;
  const days = type === 'weekly_restriction' ? [first] : weekdays.map((_, index) => index);
  return days.flatMap((day) => splitByDay(day, start, minutes));
}

function splitByDay(firstDay: number, start: number, minutes: number): Piece[] {
  const pieces: Piece[] = [];
  let [day, from, rest] = [firstDay, start, minutes];
  while (rest > 0 && pieces.length < weekdays.length) {
    // A piece that ends on the next morning stays whole.
    const length = rest <= 1_440 ? rest : 1_440 - from;
    pieces.push({ weekday: weekdays[day % 7] ?? 'monday', from: formatTime(from), to: formatTime(from + length) });
    rest -= length;
    [day, from] = [day + 1, 0];
  }
  return pieces;
}

function toOpsgenieRestrictions(given: Row | undefined): ImportedRestriction[] {
  if (!given) return [];
  if (given.type === 'time-of-day') {
    const { startHour, startMin, endHour, endMin } = given.restriction as Row;
    const [from, to] = [toTime(startHour, startMin), toTime(endHour, endMin)];
    return [{ weekdays: [...weekdays], from, to }];
  }
  const pieces = listRows(given.restrictions).flatMap(({ startDay, endDay, ...times }) => {
    const [first, last] = [startDay, endDay].map((day) => weekdays.indexOf(String(day).toLowerCase() as Weekday));
    const [start, end] = [toTime(times.startHour, times.startMin), toTime(times.endHour, times.endMin)].map(parseTime);
    const days = ((last ?? 0) - (first ?? 0) + 7) % 7;
    return splitByDay(first ?? 0, start ?? 0, days * 1_440 + (end ?? 0) - (start ?? 0) || 7 * 1_440);
  });
  return groupByTimes(pieces);
}

function groupByTimes(pieces: readonly Piece[]): ImportedRestriction[] {
  const byTimes = new Map<string, ImportedRestriction>();
  for (const { weekday, from, to } of pieces) {
    const restriction = byTimes.get(`${from} ${to}`) ?? { weekdays: [], from, to };
    if (!restriction.weekdays.includes(weekday)) restriction.weekdays.push(weekday);
    byTimes.set(`${from} ${to}`, restriction);
  }
  return [...byTimes.values()];
}

function parseTime(text: string): number {
  const [hours = 0, minutes = 0] = text.split(':').map(Number);
  return hours * 60 + minutes;
}

function formatTime(minutes: number): string {
  return toTime(Math.floor(minutes / 60) % 24, minutes % 60);
}

function toTime(hours: unknown, minutes: unknown): string {
  return [hours, minutes].map((part) => String(Number(part ?? 0)).padStart(2, '0')).join(':');
}

function listRows(value: unknown): Row[] {
  return Array.isArray(value) ? value : [];
}
