import type { Priority } from '../../contract/priority.ts';
import type { Kind } from './kind.ts';
import { infrastructureKinds } from './kinds-infrastructure.ts';
import { workplaceKinds } from './kinds-workplace.ts';
import { groups, reporters, sites } from './people.ts';
import { Chance } from './random.ts';

// The lives of the demo incidents: who reported what, who did what about it and when. The stories are told in full and
// cut off at the present, so the youngest incidents are still open.

export interface Step {
  /** The number of the incident in the story. */
  incident: number;
  atMs: number;
  actor: string;
  /** What is sent: a new incident, a change of it, or a note on it. */
  action: 'create' | 'update' | 'note';
  body: Readonly<Record<string, unknown>>;
  /** The name of the configuration item that a new incident is about. */
  ci?: string;
}

export const demoDays = 90;

export const demoIncidents = 300;

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Everything that happened in the days before `nowMs`, in the order in which it happened. */
export function tellStory(nowMs: number, seed = 20_260_301): Step[] {
  const chance = new Chance(seed);
  const steps = Array.from({ length: demoIncidents }, (_, incident) => liveThrough(incident, nowMs, chance)).flat();
  return steps.filter(({ atMs }) => atMs < nowMs).sort((a, b) => a.atMs - b.atMs || a.incident - b.incident);
}

const kinds = [...infrastructureKinds, ...workplaceKinds];

const numbers = ['2', '3', '4', '5', '6', '7', '8'] as const;

function filled(text: string, site: string, number: string): string {
  return text.replaceAll('{site}', site).replaceAll('{n}', number);
}

/** What incidents can say, whenever the story is told; some several times. */
export function everyReport(): { short_description: string; description: string }[] {
  return kinds.flatMap(({ titles, description }) =>
    titles.flatMap((title) =>
      sites.flatMap((site) =>
        numbers.map((number) => ({
          short_description: filled(title, site, number),
          description: filled(description, site, number),
        })),
      ),
    ),
  );
}

/** How soon somebody looks at it, and how long the work takes, in minutes. */
const pace: Readonly<Record<Priority, { look: [number, number]; work: [number, number] }>> = {
  P1: { look: [2, 12], work: [25, 260] },
  P2: { look: [5, 50], work: [60, 520] },
  P3: { look: [15, 300], work: [60, 1_400] },
  P4: { look: [60, 1_200], work: [240, 4_200] },
};

interface Telling {
  incident: number;
  kind: Kind;
  priority: Priority;
  assignee: string;
  reporter: string;
  fill: (text: string) => string;
  chance: Chance;
  steps: Step[];
  atMs: number;
}

function liveThrough(incident: number, nowMs: number, chance: Chance): Step[] {
  const kind = chance.weighted(kinds.map((each) => [each, each.weight] as const));
  const site = chance.pick(sites);
  const number = chance.pick(numbers);
  const telling: Telling = {
    incident,
    kind,
    priority: chance.weighted(kind.priorities),
    assignee: chance.pick(groups[kind.group]),
    reporter: chance.pick(reporters),
    fill: (text) => filled(text, site, number),
    chance,
    steps: [],
    atMs: reportedAt(incident, nowMs, chance),
  };
  report(telling);
  if (chance.of(0.05)) cancel(telling);
  else work(telling, nowMs);
  return telling.steps;
}

/** Spread over the whole time, more of them lately, mostly on working days between seven and six. */
function reportedAt(incident: number, nowMs: number, chance: Chance): number {
  const startMs = nowMs - demoDays * day;
  for (let attempt = 0; attempt < 20; attempt++) {
    const left = (demoIncidents - incident - chance.next()) / demoIncidents;
    const atMs = nowMs - (left ** 1.4 * demoDays + chance.between(-1, 1)) * day;
    const time = new Date(atMs);
    const working = time.getUTCDay() % 6 !== 0 && time.getUTCHours() >= 7 && time.getUTCHours() < 18;
    if (atMs > startMs && atMs < nowMs && (working || chance.of(0.12))) return Math.floor(atMs);
  }
  return Math.floor(startMs + ((incident + 0.5) / demoIncidents) * demoDays * day);
}

function report(telling: Telling): void {
  const { kind, priority, chance, fill } = telling;
  const level = { P1: 'high', P2: chance.pick(['high', 'medium']), P3: 'medium', P4: 'low' }[priority];
  const triaged = chance.of(0.75);
  add(telling, telling.reporter, 'create', {
    short_description: fill(chance.pick(kind.titles)),
    description: fill(kind.description),
    priority,
    category: kind.category,
    subcategory: kind.subcategory,
    impact: level,
    urgency: chance.of(0.7) ? level : 'medium',
    ...(triaged ? { assignment_group: kind.group } : {}),
  });
  if (chance.of(0.8)) telling.steps.at(-1)!.ci = chance.pick(kind.cis);
}

function cancel(telling: Telling): void {
  const { chance } = telling;
  pass(telling, 10, 180);
  const why = chance.pick([
    'Reported twice; the other incident goes on.',
    'Worked again by itself, the caller agrees.',
  ]);
  add(telling, telling.reporter, 'update', { state: 'cancelled', work_note: why });
}

function work(telling: Telling, nowMs: number): void {
  const { kind, priority, assignee, chance, fill } = telling;
  const { look, work } = pace[priority];
  // A desk always has some that nobody has come to yet.
  const late = telling.atMs > nowMs - 9 * day && look[1] >= 300 && chance.of(0.3);
  pass(telling, look[0], late ? 9 * 1_440 : look[1]);
  add(telling, assignee, 'update', {
    state: 'in_progress',
    assignment_group: kind.group,
    assigned_to: assignee,
    work_note: fill(kind.findings[0]!),
  });
  if (chance.of(0.06) && priority !== 'P1') raise(telling);
  if (chance.of(0.1)) comment(telling);
  const stalled = chance.of(0.2) && telling.atMs > nowMs - 16 * day;
  if (stalled || chance.of(0.07)) hold(telling, stalled ? chance.between(9_000, 30_000) : chance.between(120, 4_800));
  // And some that take longer than anybody thought.
  const slow = telling.atMs > nowMs - 9 * day && chance.of(0.3);
  pass(telling, work[0], slow ? 12 * 1_440 : work[1]);
  resolve(telling);
  if (chance.of(telling.atMs > nowMs - 12 * day ? 0.2 : 0.03)) reopen(telling, nowMs);
  // A third of them is closed when the caller agrees, the others stay resolved.
  if (chance.of(0.65)) return;
  pass(telling, 5 * 1_440, 9 * 1_440);
  add(telling, assignee, 'update', { state: 'closed' });
}

function raise(telling: Telling): void {
  pass(telling, 5, 40);
  const next = ({ P4: 'P3', P3: 'P2', P2: 'P1', P1: 'P1' } as const)[telling.priority];
  add(telling, telling.assignee, 'update', { priority: next, work_note: 'More people are affected than we thought.' });
}

function comment(telling: Telling): void {
  const { kind, chance, fill } = telling;
  pass(telling, 10, 90);
  const visibility = chance.weighted([
    ['team', 5],
    ['public', 3],
    ['private', 1],
  ]);
  const body = visibility === 'public' ? 'We are on it and will report back today.' : fill(chance.pick(kind.findings));
  add(telling, telling.assignee, 'note', { body, visibility });
}

function hold(telling: Telling, minutes: number): void {
  pass(telling, 10, 60);
  add(telling, telling.assignee, 'update', { state: 'on_hold', work_note: telling.fill(telling.kind.waiting) });
  pass(telling, minutes, minutes * 1.2);
  add(telling, telling.assignee, 'update', { state: 'in_progress', work_note: 'We can go on.' });
}

function resolve(telling: Telling): void {
  const { kind, chance, fill } = telling;
  const resolution = fill(chance.pick(kind.resolutions));
  add(telling, telling.assignee, 'update', { state: 'resolved', resolution, work_note: 'Confirmed with the caller.' });
}

function reopen(telling: Telling, nowMs: number): void {
  pass(telling, 90, 2_000);
  add(telling, telling.reporter, 'update', { state: 'reopened', work_note: 'It is back.' });
  // Some of those who reopen wait longest of all.
  const [low, high] = telling.atMs > nowMs - 12 * day ? [9_000, 20_000] : [20, 300];
  pass(telling, low!, high!);
  add(telling, telling.assignee, 'update', { state: 'in_progress' });
  pass(telling, ...pace[telling.priority].work);
  resolve(telling);
}

/** Lets some minutes go by. */
function pass(telling: Telling, low: number, high: number): void {
  telling.atMs += Math.floor(telling.chance.between(low, high) * minute);
}

function add({ steps, incident, atMs }: Telling, actor: string, action: Step['action'], body: Step['body']): void {
  steps.push({ incident, atMs, actor, action, body });
}
