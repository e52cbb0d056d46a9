import type { ServiceClient } from '../../client/index.ts';
import { endedStates } from '../../contract/states.ts';
import { formatTime } from '../ui/time.ts';

export type SlaStatus = 'running' | 'warning' | 'breached' | 'paused' | 'paused_breached' | 'ended';

export interface SlaCountdown {
  status: SlaStatus;
  /** Negative after the breach. */
  remainingMs: number;
}

/** An incident, a change or a request. */
export interface SlaRecord {
  state: string;
  created_at: string;
  sla_breach_at: string | null;
  sla_breached_at?: string | null;
}

/** Unless a policy says otherwise, the service warns when 75% of the time is used. */
const warningShare = 0.25;

/**
 * The time until an SLA breach, from the fields in a list. Pauses and closed hours count as time between creation and breach,
 * so the warning comes slightly early; the page of the incident has the exact figures.
 */
export function getSlaCountdown(incident: SlaRecord, nowMs: number): SlaCountdown {
  if (incident.sla_breach_at === null) {
    const isEnded = Object.values(endedStates).some((states) => states.includes(incident.state));
    return { status: isEnded ? 'ended' : incident.sla_breached_at ? 'paused_breached' : 'paused', remainingMs: 0 };
  }
  const breachMs = Date.parse(incident.sla_breach_at);
  const remainingMs = breachMs - nowMs;
  if (remainingMs <= 0) return { status: 'breached', remainingMs };
  const all = breachMs - Date.parse(incident.created_at);
  return { status: remainingMs <= all * warningShare ? 'warning' : 'running', remainingMs };
}

export function describeSla({ sla_breach_at, sla_breached_at }: SlaRecord): string {
  if (sla_breached_at) return `Breached at ${formatTime(sla_breached_at)}`;
  return sla_breach_at ? `Breaches at ${formatTime(sla_breach_at)}` : 'The SLA clock is paused';
}

export type SlaView = Awaited<ReturnType<ServiceClient['getIncidentSla']>>;

/** The SLA as the service reported it, and when. */
export interface ReadSla {
  sla: SlaView;
  readAtMs: number;
}

export interface SlaFigures {
  usedPercent: number;
  remainingMs: number;
  status: 'running' | 'warning' | 'breached' | 'paused' | 'closed' | 'met';
}

/** Computes the current figures; a running clock has advanced since the response. */
export function getSlaFigures({ sla, readAtMs }: ReadSla, nowMs: number): SlaFigures {
  const since = sla.clock === 'running' ? Math.max(0, nowMs - readAtMs) : 0;
  const targetMs = sla.target_minutes * 60_000;
  const remainingMs = sla.remaining_ms - since;
  const usedPercent = (100 * (targetMs - remainingMs)) / targetMs;
  return { usedPercent, remainingMs, status: toStatus(sla, remainingMs, usedPercent) };
}

function toStatus({ clock, warning_percent }: SlaView, remainingMs: number, usedPercent: number): SlaFigures['status'] {
  if (remainingMs <= 0) return 'breached';
  if (clock === 'ended') return 'met';
  if (clock === 'paused' || clock === 'closed') return clock;
  return usedPercent >= warning_percent ? 'warning' : 'running';
}

/** Of lists: the filter and the sort by the time of the breach. */
export const slaNames = {
  breached: 'Breached',
  due_soon: 'Due within an hour',
  at_risk: 'At risk (75% used)',
  on_track: 'On track',
} as const;

export const breachSort = { asc: 'Next breach first', desc: 'Latest breach first', first: 'asc' } as const;
