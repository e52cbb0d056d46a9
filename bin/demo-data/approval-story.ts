import type { Role } from '../../contract/roles.ts';
import { type ChangeKind, changeKinds, requestKinds } from './approval-kinds.ts';
import { groups, reporters, sites } from './people.ts';
import { Chance } from './random.ts';

// The lives of the demo changes and service requests: asked for, decided on, carried out. They are told in full and cut
// off at the present, so the youngest still wait; the planned windows of some lie ahead.

export interface ApprovalStep {
  /** The record of the story: `change 7`. */
  record: string;
  atMs: number;
  actor: string;
  role: Role;
  action: 'create' | 'update' | 'approve' | 'reject';
  body: Readonly<Record<string, unknown>>;
  /** The names of the configuration items that a new change touches. */
  cis?: readonly string[];
}

export const demoChanges = 40;

export const demoRequests = 30;

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Those who decide; the second one where the first one asked. */
const managers = ['manager@example.com', 'ruth.abebe@example.com'] as const;

/** Everything that happened in the days before `nowMs`, in the order in which it happened. */
export function tellApprovals(nowMs: number, days: number, seed = 20_260_302): ApprovalStep[] {
  const chance = new Chance(seed);
  const told = [
    ...Array.from({ length: demoChanges }, (_, number) => changeLife(number, nowMs, days, chance)),
    ...Array.from({ length: demoRequests }, (_, number) => requestLife(number, nowMs, days, chance)),
  ].flat();
  return told.filter(({ atMs }) => atMs < nowMs).sort((a, b) => a.atMs - b.atMs);
}

function changeLife(number: number, nowMs: number, days: number, chance: Chance): ApprovalStep[] {
  // The last two are planned for the same evening and meet at the database.
  const isLast = number >= demoChanges - 2;
  const kind = isLast ? changeKinds[number % 2 === 0 ? 3 : 7]! : changeKinds[number % changeKinds.length]!;
  const requester = chance.pick(groups[kind.group]);
  const life = new Life(`change ${number}`, askedAt(number, demoChanges, nowMs, days, chance));
  const startMs = evening(isLast ? nowMs + 2 * day : life.atMs + chance.between(2, 9) * day, number % 2);
  life.add(requester, 'itsm_agent', 'create', newChange(kind, requester, startMs, chance), kind.cis);
  const fate = fateOf(number, chance);
  if (fate === 'draft') return life.asDraft();
  if (fate === 'waiting') return life.steps;
  if (fate === 'cancelled')
    return life.pass(chance.between(1, 20) * hour).add(requester, 'itsm_agent', 'update', { state: 'cancelled' }).steps;
  life.pass(chance.between(1, number < recent ? 30 : 3) * hour);
  const manager = managers.find((one) => one !== requester)!;
  if (fate === 'rejected') return life.add(manager, 'itsm_manager', 'reject', { note: chance.pick(refusals) }).steps;
  life.add(manager, 'itsm_manager', 'approve', { note: chance.pick(consents) });
  life.atMs = Math.max(startMs, life.atMs + hour);
  life.add(requester, 'itsm_agent', 'update', { state: 'implementing', assigned_to: requester });
  life.pass(kind.hours * chance.between(0.6, 1) * hour);
  return life.add(requester, 'itsm_agent', 'update', { state: 'completed' }).steps;
}

/** From this number on, changes are young, and what becomes of them shows every state. */
const recent = demoChanges - 7;

const recentFates = ['completed', 'completed', 'waiting', 'completed', 'draft', 'completed', 'waiting'] as const;

function fateOf(number: number, chance: Chance) {
  if (number >= recent) return recentFates[number - recent]!;
  return chance.weighted([
    ['completed', 8],
    ['rejected', 1],
    ['cancelled', 1],
  ] as const);
}

function newChange(kind: ChangeKind, requester: string, startMs: number, chance: Chance) {
  const iso = (ms: number) => new Date(ms).toISOString();
  return {
    short_description: kind.title.replaceAll('{site}', chance.pick(sites)),
    description: kind.description,
    type: kind.type,
    risk: kind.risk,
    planned_start: iso(startMs),
    planned_end: iso(startMs + kind.hours * hour),
    assignment_group: kind.group,
    ...(chance.of(0.5) ? { assigned_to: requester } : {}),
  };
}

function requestLife(number: number, nowMs: number, days: number, chance: Chance): ApprovalStep[] {
  const kind = requestKinds[number % requestKinds.length]!;
  const requester = chance.pick(reporters);
  const life = new Life(`request ${number}`, askedAt(number, demoRequests, nowMs, days, chance));
  life.add(requester, 'itsm_agent', 'create', {
    short_description: kind.title.replaceAll('{site}', chance.pick(sites)),
    description: kind.description.replaceAll('{site}', chance.pick(sites)),
    item: kind.item,
    quantity: kind.quantity,
    requested_for: chance.of(0.6) ? requester : chance.pick(reporters),
  });
  if (chance.of(0.06)) return life.pass(3 * hour).add(requester, 'itsm_agent', 'update', { state: 'cancelled' }).steps;
  life.pass(chance.between(1, number > demoRequests - 8 ? 200 : 40) * hour);
  if (chance.of(0.12)) return life.add(managers[0], 'itsm_manager', 'reject', { note: chance.pick(refusals) }).steps;
  life.add(managers[0], 'itsm_manager', 'approve', { note: null }).pass(chance.between(8, 120) * hour);
  return life.add(chance.pick(groups['service desk']), 'itsm_agent', 'update', { state: 'fulfilled' }).steps;
}

const refusals = [
  'Not in the last week of the quarter.',
  'Please say how it is undone, then ask again.',
  'There is no budget for it.',
];

const consents = ['Tested in staging, go ahead.', 'Fine, but tell the service desk before you begin.', null];

/** Spread over the whole time, more of them lately. */
function askedAt(number: number, count: number, nowMs: number, days: number, chance: Chance): number {
  const left = (count - number - chance.next()) / count;
  return Math.floor(nowMs - (left ** 1.3 * (days - 1) + 0.05) * day);
}

/** Work is planned for the evening of the day, at eight or at nine. */
function evening(ms: number, later: number): number {
  return Math.floor(ms / day) * day + (20 + later) * hour;
}

class Life {
  readonly steps: ApprovalStep[] = [];
  readonly record: string;
  atMs: number;

  constructor(record: string, atMs: number) {
    this.record = record;
    this.atMs = atMs;
  }

  pass(ms: number): this {
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
