import type { ServiceClient } from '../../client/index.ts';
import { formatTime } from '../ui/time.ts';
import type { Incident } from './incident-words.ts';

export type SlaStatus = 'running' | 'warning' | 'breached' | 'paused' | 'ended';

export interface SlaCountdown {
  status: SlaStatus;
  /** Negative after the breach. */
  remainingMs: number;
}

/** The service warns when 75% of the time is used. */
const warningShare = 0.25;

/**
 * The time until an SLA breach, from the fields in a list. Pauses count as time between creation and breach, so the
 * warning comes slightly early for incidents that were on hold; the page of the incident has the exact figures.
 */
export function getSlaCountdown(
  incident: Pick<Incident, 'state' | 'sla_breach_at' | 'created_at'>,
  nowMs: number,
): SlaCountdown {
  if (incident.state === 'on_hold') return { status: 'paused', remainingMs: 0 };
  if (incident.sla_breach_at === null) return { status: 'ended', remainingMs: 0 };
  const breachMs = Date.parse(incident.sla_breach_at);
  const remainingMs = breachMs - nowMs;
  if (remainingMs <= 0) return { status: 'breached', remainingMs };
  const all = breachMs - Date.parse(incident.created_at);
  return { status: remainingMs <= all * warningShare ? 'warning' : 'running', remainingMs };
}

export function describeSla({ sla_breach_at }: Pick<Incident, 'sla_breach_at'>): string {
  return sla_breach_at ? `Breaches at ${formatTime(sla_breach_at)}` : 'The SLA clock is paused';
}

export type SlaView = Awaited<ReturnType<ServiceClient['getIncidentSla']>>;

/** The SLA as the service reported it, and when. */
export interface ReadSla {
  sla: SlaView;
  readAtMs: number;
}

export const warningPercent = 75;

export interface SlaFigures {
  usedPercent: number;
  remainingMs: number;
  status: 'running' | 'warning' | 'breached' | 'paused' | 'met';
}

/** Computes the current figures; a running clock has advanced since the response. */
export function getSlaFigures({ sla, readAtMs }: ReadSla, nowMs: number): SlaFigures {
  const since = sla.clock === 'running' ? Math.max(0, nowMs - readAtMs) : 0;
  const targetMs = sla.target_minutes * 60_000;
  const remainingMs = sla.remaining_ms - since;
  const usedPercent = (100 * (targetMs - remainingMs)) / targetMs;
  return { usedPercent, remainingMs, status: toStatus(sla, remainingMs, usedPercent) };
}

function toStatus({ clock }: SlaView, remainingMs: number, usedPercent: number): SlaFigures['status'] {
  if (remainingMs <= 0) return 'breached';
  if (clock === 'ended') return 'met';
  if (clock === 'paused') return 'paused';
  return usedPercent >= warningPercent ? 'warning' : 'running';
}
