import type { Priority } from '../contract/states.ts';
import { type IncidentReport, type IncidentTemplate, infrastructureIncidents } from './infrastructure-incidents.ts';
import { groups, reporters, sites } from './organization.ts';
import { Random } from './random.ts';
import { workplaceIncidents } from './workplace-incidents.ts';

// Simulates the demo incidents step by step. Steps in the future are dropped, so recent incidents are still open.

export interface IncidentStep {
  /** Number of the incident in the simulation. */
  incident: number;
  atMs: number;
  actor: string;
  action: 'create' | 'update' | 'note';
  body: Readonly<Record<string, unknown>>;
  /** Name of the affected configuration item, for new incidents. */
  ci?: string;
}

export const demoDays = 90;

export const demoIncidents = 300;

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** All steps of the last 90 days in chronological order. */
export function buildIncidentSteps(nowMs: number, seed = 20_260_301): IncidentStep[] {
  const random = new Random(seed);
  // An inbound webhook creates the last one.
  const steps = Array.from({ length: demoIncidents - 1 }, (_, incident) =>
    simulateIncident(incident, nowMs, random),
  ).flat();
  return steps.filter(({ atMs }) => atMs < nowMs).sort((a, b) => a.atMs - b.atMs || a.incident - b.incident);
}

const templates = [...infrastructureIncidents, ...workplaceIncidents];

const numbers = ['2', '3', '4', '5', '6', '7', '8'] as const;

function fillTemplate(text: string, site: string, number: string): string {
  return text.replaceAll('{site}', site).replaceAll('{n}', number);
}

/** All reports that the templates can produce, with duplicates. */
export function listReports(): { short_description: string; description: string }[] {
  return templates.flatMap(({ reports }) =>
    reports.flatMap(({ title, description }) =>
      sites.flatMap((site) =>
        numbers.map((number) => ({
          short_description: fillTemplate(title, site, number),
          description: fillTemplate(description, site, number),
        })),
      ),
    ),
  );
}

/** Minutes until somebody starts working on it, and minutes of work. */
const pace: Readonly<Record<Priority, { look: [number, number]; work: [number, number] }>> = {
  P1: { look: [2, 12], work: [25, 260] },
  P2: { look: [5, 50], work: [60, 520] },
  P3: { look: [15, 300], work: [60, 1_400] },
  P4: { look: [60, 1_200], work: [240, 4_200] },
};

interface Simulation {
  incident: number;
  template: IncidentTemplate;
  reported: IncidentReport;
  priority: Priority;
  assignee: string;
  reporter: string;
  fill: (text: string) => string;
  random: Random;
  steps: IncidentStep[];
  atMs: number;
}

function simulateIncident(incident: number, nowMs: number, random: Random): IncidentStep[] {
  const template = random.weighted(templates.map((each) => [each, each.weight] as const));
  const site = random.pick(sites);
  const number = random.pick(numbers);
  const simulation: Simulation = {
    incident,
    template,
    reported: random.pick(template.reports),
    priority: random.weighted(template.priorities),
    assignee: random.pick(groups[template.group]),
    reporter: random.pick(reporters),
    fill: (text) => fillTemplate(text, site, number),
    random,
    steps: [],
    atMs: pickReportTime(incident, nowMs, random),
  };
  report(simulation);
  if (random.chance(0.05)) cancel(simulation);
  else workOn(simulation, nowMs);
  return simulation.steps;
}

/** Spread over the whole period, with more in recent days, mostly during working hours. */
function pickReportTime(incident: number, nowMs: number, random: Random): number {
  const startMs = nowMs - demoDays * dayMs;
  for (let attempt = 0; attempt < 20; attempt++) {
    const left = (demoIncidents - incident - random.next()) / demoIncidents;
    const atMs = nowMs - (left ** 1.4 * demoDays + random.between(-1, 1)) * dayMs;
    const time = new Date(atMs);
    const working = time.getUTCDay() % 6 !== 0 && time.getUTCHours() >= 7 && time.getUTCHours() < 18;
    if (atMs > startMs && atMs < nowMs && (working || random.chance(0.12))) return Math.floor(atMs);
  }
  return Math.floor(startMs + ((incident + 0.5) / demoIncidents) * demoDays * dayMs);
}

function report(simulation: Simulation): void {
  const { template, reported, priority, random, fill } = simulation;
  const level = { P1: 'high', P2: random.pick(['high', 'medium']), P3: 'medium', P4: 'low' }[priority];
  const triaged = random.chance(0.75);
  add(simulation, simulation.reporter, 'create', {
    short_description: fill(reported.title),
    description: fill(reported.description),
    priority,
    category: template.category,
    subcategory: template.subcategory,
    impact: level,
    urgency: random.chance(0.7) ? level : 'medium',
    ...(triaged ? { assignment_group: template.group } : {}),
  });
  const opening = simulation.steps.at(-1);
  if (opening && random.chance(0.8)) opening.ci = random.pick(template.cis);
}

function cancel(simulation: Simulation): void {
  const { random } = simulation;
  pass(simulation, 10, 180);
  const why = random.pick([
    'Duplicate; we continue in the other incident.',
    'The problem went away by itself; the caller confirmed it.',
  ]);
  add(simulation, simulation.reporter, 'update', { state: 'cancelled', work_note: why });
}

function workOn(simulation: Simulation, nowMs: number): void {
  const { template, reported, priority, assignee, random, fill } = simulation;
  const { look, work } = pace[priority];
  // Leave some recent incidents untouched.
  const late = simulation.atMs > nowMs - 9 * dayMs && look[1] >= 300 && random.chance(0.3);
  pass(simulation, look[0], late ? 9 * 1_440 : look[1]);
  add(simulation, assignee, 'update', {
    state: 'in_progress',
    assignment_group: template.group,
    assigned_to: assignee,
    work_note: fill(reported.finding),
  });
  if (random.chance(0.06) && priority !== 'P1') raise(simulation);
  if (random.chance(0.1)) addComment(simulation);
  const stalled = random.chance(0.2) && simulation.atMs > nowMs - 16 * dayMs;
  if (stalled || random.chance(0.07))
    hold(simulation, stalled ? random.between(9_000, 30_000) : random.between(120, 4_800));
  // Some recent incidents take longer.
  const slow = simulation.atMs > nowMs - 9 * dayMs && random.chance(0.3);
  pass(simulation, work[0], slow ? 12 * 1_440 : work[1]);
  resolve(simulation);
  if (random.chance(simulation.atMs > nowMs - 12 * dayMs ? 0.2 : 0.03)) reopen(simulation, nowMs);
  // Close about a third; the others stay resolved.
  if (random.chance(0.65)) return;
  pass(simulation, 5 * 1_440, 9 * 1_440);
  add(simulation, assignee, 'update', { state: 'closed' });
}

function raise(simulation: Simulation): void {
  pass(simulation, 5, 40);
  const next = ({ P4: 'P3', P3: 'P2', P2: 'P1', P1: 'P1' } as const)[simulation.priority];
  add(simulation, simulation.assignee, 'update', {
    priority: next,
    work_note: 'More people are affected than we thought. Raising the priority.',
  });
}

function addComment(simulation: Simulation): void {
  const { reported, random, fill } = simulation;
  pass(simulation, 10, 90);
  const visibility = random.weighted([
    ['team', 5],
    ['public', 3],
    ['private', 1],
  ]);
  const body = visibility === 'public' ? 'We are working on it and will update you today.' : fill(reported.finding);
  add(simulation, simulation.assignee, 'note', { body, visibility });
}

function hold(simulation: Simulation, minutes: number): void {
  pass(simulation, 10, 60);
  add(simulation, simulation.assignee, 'update', {
    state: 'on_hold',
    work_note: simulation.fill(simulation.template.waiting),
  });
  pass(simulation, minutes, minutes * 1.2);
  add(simulation, simulation.assignee, 'update', {
    state: 'in_progress',
    work_note: 'We have what we need and can continue.',
  });
}

function resolve(simulation: Simulation): void {
  const { reported, fill } = simulation;
  add(simulation, simulation.assignee, 'update', {
    state: 'resolved',
    resolution: fill(reported.resolution),
    work_note: 'Confirmed with the caller.',
  });
}

function reopen(simulation: Simulation, nowMs: number): void {
  pass(simulation, 90, 2_000);
  add(simulation, simulation.reporter, 'update', { state: 'reopened', work_note: 'The problem is back.' });
  // Some reopened incidents wait for a long time.
  const isRecent = simulation.atMs > nowMs - 12 * dayMs;
  pass(simulation, isRecent ? 9_000 : 20, isRecent ? 20_000 : 300);
  add(simulation, simulation.assignee, 'update', { state: 'in_progress' });
  pass(simulation, ...pace[simulation.priority].work);
  resolve(simulation);
}

/** Advances the time by a random number of minutes. */
function pass(simulation: Simulation, low: number, high: number): void {
  simulation.atMs += Math.floor(simulation.random.between(low, high) * minuteMs);
}

function add(
  { steps, incident, atMs }: Simulation,
  actor: string,
  action: IncidentStep['action'],
  body: IncidentStep['body'],
): void {
  steps.push({ incident, atMs, actor, action, body });
}
