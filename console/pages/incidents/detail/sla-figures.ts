import type { ServiceClient } from '../../../../client/index.ts';

export type SlaView = Awaited<ReturnType<ServiceClient['getIncidentSla']>>;

/** What the service said, and when. */
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

/** The clock as it stands now: a running one has gone on since the service was asked. */
export function figuresAt({ sla, readAtMs }: ReadSla, nowMs: number): SlaFigures {
  const since = sla.clock === 'running' ? Math.max(0, nowMs - readAtMs) : 0;
  const targetMs = sla.target_minutes * 60_000;
  const remainingMs = sla.remaining_ms - since;
  const usedPercent = (100 * (targetMs - remainingMs)) / targetMs;
  return { usedPercent, remainingMs, status: statusOf(sla, remainingMs, usedPercent) };
}

function statusOf({ clock }: SlaView, remainingMs: number, usedPercent: number): SlaFigures['status'] {
  if (remainingMs <= 0) return 'breached';
  if (clock === 'ended') return 'met';
  if (clock === 'paused') return 'paused';
  return usedPercent >= warningPercent ? 'warning' : 'running';
}
