import { durationText } from '../../time-text.ts';
import type { Incident } from './incident-words.ts';

export type SlaStatus = 'running' | 'warning' | 'breached' | 'paused' | 'ended';

export interface SlaCountdown {
  status: SlaStatus;
  text: string;
}

/** The service warns when three quarters of the time are used. */
const warningShare = 0.25;

/**
 * How long an incident has until its target is breached, from what a list knows of it. Pauses are part of the distance
 * between creation and breach, so the warning comes a little early for incidents that were on hold; the page of the
 * incident has the exact figures.
 */
export function slaCountdown(
  incident: Pick<Incident, 'state' | 'sla_breach_at' | 'created_at'>,
  nowMs: number,
): SlaCountdown {
  if (incident.state === 'on_hold') return { status: 'paused', text: 'Paused' };
  if (incident.sla_breach_at === null) return { status: 'ended', text: 'Ended' };
  const breachMs = Date.parse(incident.sla_breach_at);
  const remaining = breachMs - nowMs;
  if (remaining <= 0) return { status: 'breached', text: `Breached ${durationText(remaining)} ago` };
  const all = breachMs - Date.parse(incident.created_at);
  return { status: remaining <= all * warningShare ? 'warning' : 'running', text: durationText(remaining) };
}
