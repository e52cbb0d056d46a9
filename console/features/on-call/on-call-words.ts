import type { EscalationPolicy, EscalationTarget } from '../../../contract/escalation-policies.ts';
import { formatPerson } from '../../ui/person.ts';

// Schedules and policies in words.

export const onCallPath = '/on-call';

export const newSchedulePath = `${onCallPath}/schedules/new`;

export const newPolicyPath = `${onCallPath}/policies/new`;

export const toSchedulePath = (id: string) => `${onCallPath}/schedules/${id}/edit`;

export const toPolicyPath = (id: string) => `${onCallPath}/policies/${id}/edit`;

type Named = Pick<EscalationPolicy, 'steps' | 'repeat'>;

/** Such as "Ana at once, then after 5 minutes the schedule Network. Repeated 2 times." */
export function describePolicy({ steps, repeat }: Named, scheduleNames: ReadonlyMap<string, string>): string {
  let waited = 0;
  const parts = steps.map(({ targets, wait_minutes }, index) => {
    const who = joinNames(targets.map((target) => describeTarget(target, scheduleNames)));
    const when = index === 0 ? 'at once' : undefined;
    const text = when ? `${who} ${when}` : `then after ${formatMinutes(waited)} ${who}`;
    waited = wait_minutes;
    return text;
  });
  const last = steps.at(-1)?.wait_minutes ?? 0;
  const end =
    repeat === 0
      ? `Ends ${formatMinutes(last)} after the last step.`
      : `Starts again ${formatMinutes(last)} after the last step, ${repeat === 1 ? 'once' : `${repeat} times`}.`;
  const text = parts.join(', ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}. ${end}`;
}

function describeTarget({ type, id }: EscalationTarget, scheduleNames: ReadonlyMap<string, string>): string {
  if (id === '') return 'nobody yet';
  if (type === 'schedule') return `the schedule ${scheduleNames.get(id) ?? id}`;
  return type === 'group' ? `everybody in ${id}` : formatPerson(id);
}

function joinNames(names: readonly string[]): string {
  return names.length < 2 ? (names[0] ?? 'nobody') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

function formatMinutes(minutes: number): string {
  return minutes === 1 ? '1 minute' : `${minutes} minutes`;
}
