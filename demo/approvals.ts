import type { Role } from '../contract/roles.ts';
import { type ChangeTemplate, changeTemplates, requestTemplates } from './approval-templates.ts';
import { groups, reporters, sites } from './organization.ts';
import { Random } from './random.ts';

// Simulates the demo changes and service requests step by step. Steps in the future are dropped, so recent records are
// still pending.

export interface ApprovalStep {
  /** Key of the record, such as `change 7`. */
  record: string;
  atMs: number;
  actor: string;
  role: Role;
  action: 'create' | 'update' | 'approve' | 'reject';
  body: Readonly<Record<string, unknown>>;
  /** Names of the affected configuration items, for new changes. */
  cis?: readonly string[];
}

export const demoChanges = 40;

export const demoRequests = 30;

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** The second manager decides on changes of the first. */
const managers = ['manager@example.com', 'ruth.abebe@example.com'] as const;

/** All steps of the last `days` days in chronological order. */
export function buildApprovalSteps(nowMs: number, days: number, seed = 20_260_302): ApprovalStep[] {
  const random = new Random(seed);
  const steps = [
    ...Array.from({ length: demoChanges }, (_, number) => simulateChange(number, nowMs, days, random)),
    ...Array.from({ length: demoRequests }, (_, number) => simulateRequest(number, nowMs, days, random)),
  ].flat();
  return steps.filter(({ atMs }) => atMs < nowMs).sort((a, b) => a.atMs - b.atMs);
}

function simulateChange(number: number, nowMs: number, days: number, random: Random): ApprovalStep[] {
  // The last two collide: same evening, same database.
  const isLast = number >= demoChanges - 2;
  const template = pickInTurn(changeTemplates, isLast ? (number % 2 === 0 ? 3 : 7) : number);
  const requester = random.pick(groups[template.group]);
  const simulation = new Simulation(`change ${number}`, pickRequestTime(number, demoChanges, nowMs, days, random));
  const startMs = toEvening(isLast ? nowMs + 2 * dayMs : simulation.atMs + random.between(2, 9) * dayMs, number % 2);
  simulation.add(requester, 'itsm_agent', 'create', createChange(template, requester, startMs, random), template.cis);
  const outcome = pickOutcome(number, random);
  if (outcome === 'draft') return simulation.asDraft();
  if (outcome === 'waiting') return simulation.steps;
  if (outcome === 'cancelled')
    return simulation
      .wait(random.between(1, 20) * hourMs)
      .add(requester, 'itsm_agent', 'update', { state: 'cancelled' }).steps;
  simulation.wait(random.between(1, number < recent ? 30 : 3) * hourMs);
  const manager = pickInTurn(managers, managers[0] === requester ? 1 : 0);
  if (outcome === 'rejected')
    return simulation.add(manager, 'itsm_manager', 'reject', { note: random.pick(rejectionNotes) }).steps;
  simulation.add(manager, 'itsm_manager', 'approve', { note: random.pick(approvalNotes) });
  simulation.atMs = Math.max(startMs, simulation.atMs + hourMs);
  simulation.add(requester, 'itsm_agent', 'update', { state: 'implementing', assigned_to: requester });
  simulation.wait(template.hours * random.between(0.6, 1) * hourMs);
  return simulation.add(requester, 'itsm_agent', 'update', { state: 'completed' }).steps;
}

/** Changes from this number on are recent and cover every state. */
const recent = demoChanges - 7;

const recentOutcomes = ['completed', 'completed', 'waiting', 'completed', 'draft', 'completed', 'waiting'] as const;

function pickOutcome(number: number, random: Random) {
  if (number >= recent) return pickInTurn(recentOutcomes, number - recent);
  return random.weighted([
    ['completed', 8],
    ['rejected', 1],
    ['cancelled', 1],
  ] as const);
}

function createChange(template: ChangeTemplate, requester: string, startMs: number, random: Random) {
  const toIso = (ms: number) => new Date(ms).toISOString();
  return {
    short_description: template.title.replaceAll('{site}', random.pick(sites)),
    description: template.description,
    type: template.type,
    risk: template.risk,
    planned_start: toIso(startMs),
    planned_end: toIso(startMs + template.hours * hourMs),
    assignment_group: template.group,
    ...(random.chance(0.5) ? { assigned_to: requester } : {}),
  };
}

function simulateRequest(number: number, nowMs: number, days: number, random: Random): ApprovalStep[] {
  const template = pickInTurn(requestTemplates, number);
  const requester = random.pick(reporters);
  const simulation = new Simulation(`request ${number}`, pickRequestTime(number, demoRequests, nowMs, days, random));
  simulation.add(requester, 'itsm_agent', 'create', {
    short_description: template.title.replaceAll('{site}', random.pick(sites)),
    description: template.description.replaceAll('{site}', random.pick(sites)),
    item: template.item,
    quantity: template.quantity,
    requested_for: random.chance(0.6) ? requester : random.pick(reporters),
  });
  if (random.chance(0.06))
    return simulation.wait(3 * hourMs).add(requester, 'itsm_agent', 'update', { state: 'cancelled' }).steps;
  simulation.wait(random.between(1, number > demoRequests - 8 ? 200 : 40) * hourMs);
  if (random.chance(0.12))
    return simulation.add(managers[0], 'itsm_manager', 'reject', { note: random.pick(rejectionNotes) }).steps;
  simulation.add(managers[0], 'itsm_manager', 'approve', { note: null }).wait(random.between(8, 120) * hourMs);
  return simulation.add(random.pick(groups['service desk']), 'itsm_agent', 'update', { state: 'fulfilled' }).steps;
}

const rejectionNotes = [
  'Please do not schedule this in the last week of the quarter.',
  'Please add a rollback plan and submit it again.',
  'There is no budget for this.',
];

const approvalNotes = ['Tested in staging, go ahead.', 'Approved. Inform the service desk before you start.', null];

/** Spread over the whole period, with more in recent days. */
function pickRequestTime(number: number, count: number, nowMs: number, days: number, random: Random): number {
  const left = (count - number - random.next()) / count;
  return Math.floor(nowMs - (left ** 1.3 * (days - 1) + 0.05) * dayMs);
}

/** 20:00 or 21:00 UTC of the day. */
function toEvening(ms: number, later: number): number {
  return Math.floor(ms / dayMs) * dayMs + (20 + later) * hourMs;
}

class Simulation {
  readonly steps: ApprovalStep[] = [];
  readonly record: string;
  atMs: number;

  constructor(record: string, atMs: number) {
    this.record = record;
    this.atMs = atMs;
  }

  wait(ms: number): this {
    this.atMs += Math.floor(ms);
    return this;
  }

  add(
    actor: string,
    role: Role,
    action: ApprovalStep['action'],
    body: ApprovalStep['body'],
    cis?: readonly string[],
  ): this {
    const step = { record: this.record, atMs: this.atMs, actor, role, action, body };
    this.steps.push(cis ? { ...step, cis } : step);
    return this;
  }

  asDraft(): ApprovalStep[] {
    return this.steps.map((step) => ({ ...step, body: { ...step.body, state: 'draft' } }));
  }
}

function pickInTurn<Entry>(list: readonly Entry[], index: number): Entry {
  const entry = list[index % list.length];
  if (entry === undefined) throw new Error('the list is empty');
  return entry;
}
