import type { ContactKind } from '../../../contract/contact-kinds.ts';
import type { NotificationRulesUpdate, NotificationStep } from '../../../contract/contact-methods.ts';
import type { NotificationTopic } from '../../../contract/preferences.ts';
import { toIso } from '../../platform/clock.ts';
import type { ContactMethod } from './contacts.ts';
import { type LogEntry, type Message, type MessageRequest, type PlannedDelivery, toMessageKey } from './message.ts';

// Chooses the contact methods of a message. The defaults are quiet: pages use everything, other notifications only the
// address of the account and only for what concerns the person (docs/decisions/0130-messages.md).

/** `incidents`: the person follows the group, and somebody asked to notify its stakeholders. */
export const defaultTopics: readonly NotificationTopic[] = ['assignments', 'mentions', 'incidents', 'webhooks'];

interface EffectiveRules {
  pages: NotificationStep[];
  notifications: NotificationStep[];
  topics: readonly NotificationTopic[];
}

/** `usable` begins with the address of the account. Steps whose method was deleted are left out. */
export function toEffectiveRules(rules: NotificationRulesUpdate, usable: readonly ContactMethod[]): EffectiveRules {
  const ids = new Set(usable.map(({ id }) => id));
  const keep = (steps: readonly NotificationStep[]) => steps.filter(({ method_id }) => ids.has(method_id));
  const toNow = ({ id }: ContactMethod): NotificationStep => ({ method_id: id, after_minutes: 0 });
  const pages = keep(rules.pages ?? []);
  const firstMail = usable.filter(({ kind }) => kind === 'email').slice(0, 1);
  return {
    // Somebody whose only method was deleted is still paged.
    pages: pages.length > 0 ? pages : usable.map(toNow),
    notifications: rules.notifications ? keep(rules.notifications) : firstMail.map(toNow),
    topics: rules.topics ?? defaultTopics,
  };
}

/** Undefined if the person does not want this notification: then nothing is stored. */
export function planMessage(
  request: MessageRequest,
  rules: NotificationRulesUpdate,
  usable: readonly ContactMethod[],
  nowMs: number,
): Message | undefined {
  const byId = new Map(usable.map((method) => [method.id, method]));
  const deliveries = chooseSteps(request, toEffectiveRules(rules, usable))
    .flatMap(({ method_id, after_minutes }): PlannedDelivery[] => {
      const method = byId.get(method_id);
      if (!method) return [];
      const { kind, shown } = method;
      const due_ms = nowMs + after_minutes * 60_000;
      return [{ method_id, channel: kind, address: mask(kind, shown), due_ms, status: 'waiting', attempts: 0 }];
    })
    .sort((a, b) => a.due_ms - b.due_ms);
  if (deliveries.length === 0 && request.urgency === 'notification') return undefined;
  const log = deliveries.length === 0 ? [describeUnreachable('the person has no verified contact method', nowMs)] : [];
  return createMessage(request, nowMs, { deliveries, log });
}

/** A page that nobody can get is logged, so that its escalation shows why. */
export function createUnreachable(request: MessageRequest, error: string, nowMs: number): Message {
  return createMessage(request, nowMs, { deliveries: [], log: [describeUnreachable(error, nowMs)] });
}

function chooseSteps(request: MessageRequest, rules: EffectiveRules): readonly NotificationStep[] {
  if (request.method_id !== undefined) return [{ method_id: request.method_id, after_minutes: 0 }];
  if (request.urgency === 'page') return rules.pages;
  return request.topic !== undefined && rules.topics.includes(request.topic) ? rules.notifications : [];
}

function createMessage(
  request: MessageRequest,
  nowMs: number,
  { deliveries, log }: Pick<Message, 'deliveries' | 'log'>,
): Message {
  return { ...toMessageKey(request), request, created_at: toIso(nowMs), deliveries, log, revision: 1 };
}

function describeUnreachable(error: string, nowMs: number): LogEntry {
  return {
    at: toIso(nowMs),
    channel: null,
    address: null,
    outcome: 'unreachable',
    provider_message_id: null,
    error,
  };
}

/** Everybody who can read an incident sees its delivery log, so it does not contain private numbers and addresses. */
function mask(kind: ContactKind, shown: string): string {
  if (kind === 'sms') return `${shown.slice(0, 3)}…${shown.slice(-2)}`;
  if (kind !== 'email') return shown;
  const mark = shown.lastIndexOf('@');
  return `${shown.slice(0, 1)}…${shown.slice(mark)}`;
}
