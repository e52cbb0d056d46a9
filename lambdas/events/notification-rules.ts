import type { NotificationTopic } from '../../contract/preferences.ts';
import type { Proposal } from '../../contract/proposals.ts';
import { endedStates, type IncidentState, openIncidentStates } from '../../contract/states.ts';
import type { IncidentDocument } from '../incidents/incident.ts';
import {
  type Audience,
  buildCompletionWrite,
  buildNotificationWrite,
  type Completion,
  type Notification,
  personalType,
} from '../notifications/notification.ts';
import type { Note } from '../records/notes.ts';
import type { RecordChange, RecordImage } from '../records/record-change.ts';
import type { Write } from '../records/write-items.ts';
import type { Tracked } from '../sla/track-sla.ts';
import { eventRules } from './event.ts';

// Notifications about a person's own work: assignments, decisions, notes and mentions. They are stored only for the
// person and, unlike group notifications, not published to the service's topic. Nobody is notified of their own actions.

export function buildWorkNotifications(change: RecordChange): Write[] {
  const rules = [
    buildAssignment,
    buildStakeholderNotification,
    buildSubmission,
    buildDecision,
    buildProposal,
    buildCompletions,
  ];
  return rules.flatMap((rule) => rule(change));
}

/** Notifies the assignment group of a new incident, or the stakeholders topic when there is no group. */
function buildStakeholderNotification({ id, at, after, notifiesStakeholders }: RecordChange): Write[] {
  if (!notifiesStakeholders) return [];
  const { assignment_group: group, short_description, priority, opened_by: by } = toIncident(after);
  const audience: Audience = group === null ? { kind: 'topic', name: 'stakeholders' } : { kind: 'group', name: group };
  const about = { incident_id: id, group, short_description, priority, by };
  return [
    buildNotificationWrite(audience, { id: `${id} stakeholders`, event: 'incident.created', created_at: at, ...about }),
  ];
}

function buildAssignment({ type, id, version, at, actor, before, after }: RecordChange): Write[] {
  if (type !== 'incident' || !isOpen(after)) return [];
  const { assigned_to: assignee, assignment_group: group, short_description, priority } = toIncident(after);
  if (!assignee || assignee === (before && toIncident(before).assigned_to)) return [];
  const about = { incident_id: id, group, short_description, priority, by: actor };
  return notifyPerson(assignee, actor, {
    id: `${id} ${version} assigned`,
    event: 'incident.assigned',
    created_at: at,
    ...about,
  });
}

interface Decided {
  state?: string;
  short_description: string;
  requested_by: string;
  decision_by: string | null;
  decision_note: string | null;
  assignment_group?: string | null;
}

/** Notifies the managers, because nobody else may approve the record. */
function buildSubmission({ type, id, version, at, before, after }: RecordChange): Write[] {
  const { state, short_description, requested_by, assignment_group: group = null } = after.document as Decided;
  if (!isApprovable(type) || after.deleted || state !== 'submitted') return [];
  if ((before?.document as Decided | undefined)?.state === state) return [];
  const event = `${type}.submitted`;
  const about = { record_id: id, short_description, requested_by, group };
  return listApprovers(null).map((audience) =>
    buildNotificationWrite(audience, { id: `${id} ${version} ${event}`, event, created_at: at, ...about }),
  );
}

function buildDecision({ type, id, version, at, actor, before, after }: RecordChange): Write[] {
  if (!isApprovable(type) || before === null || after.deleted) return [];
  const { state, short_description, requested_by, decision_note } = after.document as Decided;
  if ((state !== 'approved' && state !== 'rejected') || (before.document as Decided).state === state) return [];
  const about = { record_id: id, short_description, by: actor, decision_note };
  const event = `${type}.${state}`;
  return notifyPerson(requested_by, actor, { id: `${id} ${version} ${event}`, event, created_at: at, ...about });
}

/** Notifies the managers and the group of the record that a proposal needs approval, and the proposer of its outcome. */
function buildProposal({ type, id, version, at, actor, before, after }: RecordChange): Write[] {
  if (type !== 'proposal') return [];
  const { state, operation, evidence, requested_by, decision_by, decision_note, ...about } = after.document as Proposal;
  if (before && (before.document as Proposal).state === state) return [];
  const subject = before ? (before.document as Proposal).record_id : about.record_id;
  const short_description = cut(`${operation}${subject ? ` ${subject}` : ''}: ${evidence.replace(/\s+/g, ' ')}`, 255);
  const common = { id: `${id} ${version} ${state}`, created_at: at, record_id: id, short_description };
  if (state === 'pending') {
    const group = about.assignment_group;
    const notification = { ...common, event: 'proposal.submitted', requested_by, group };
    return listApprovers(group).map((audience) => buildNotificationWrite(audience, notification));
  }
  // `approved` lasts until the change is applied or fails.
  if (state === 'approved') return [];
  const event = `proposal.${state}`;
  const error = about.error === null ? {} : { error: about.error.detail };
  return notifyPerson(requested_by, actor, { ...common, event, by: decision_by ?? actor, decision_note, ...error });
}

/** Managers follow the group named after their role. */
function listApprovers(group: string | null | undefined): Audience[] {
  return ['itsm_manager', ...(group ? [group] : [])].map((name) => ({ kind: 'group', name }));
}

/** Notifies the people who work on a record or asked for it, and those whom the note mentions. Private notes notify nobody. */
export function buildNoteNotifications(note: Note, document: Noted): Write[] {
  if (note.visibility === 'private') return [];
  const mentioned = findMentions(note.body);
  const involved = [document.assigned_to, document.opened_by, document.requested_by].flatMap((email) => email ?? []);
  const people = new Set([...mentioned, ...involved.map((email) => email.toLowerCase())]);
  const { short_description, priority } = document;
  const subject = 'incident_id' in note ? { incident_id: note.incident_id } : { record_id: note.record_id };
  const about = { ...subject, note_id: note.id, short_description, priority, by: note.author };
  const excerpt = cut(note.body, maxExcerpt);
  return [...people].flatMap((email) => {
    const event = mentioned.has(email) ? 'note.mentioned' : 'note.added';
    const given = { id: `${note.id} ${email}`, event, created_at: note.created_at, ...about, excerpt };
    return notifyPerson(email, note.author, given);
  });
}

/** The fields that records of any kind may have. */
interface Noted {
  short_description?: string;
  priority?: string;
  assigned_to?: string | null;
  opened_by?: string | null;
  requested_by?: string | null;
}

const maxExcerpt = 200;

const cut = (text: string, maxCharacters: number) => [...text].slice(0, maxCharacters).join('');

const maxMentions = 20;

/** The longest address that a user pool takes. A longer key than 2,048 bytes could not be stored. */
const maxAddressCharacters = 254;

/** Finds the addresses after an @, such as `@ada.lovelace@example.com`. */
function findMentions(body: string): Set<string> {
  const found = new Set<string>();
  for (const [, email = ''] of body.matchAll(/(?:^|[\s(,;:])@([\w.%+-]+@[\w-]+(?:\.[\w-]+)+)/g)) {
    if (found.size === maxMentions) break;
    if (email.length <= maxAddressCharacters) found.add(email.toLowerCase());
  }
  return found;
}

/** Clears notifications when an incident is closed or handed over, when an approval is decided, and when work ends. */
function buildCompletions(change: RecordChange): Write[] {
  const { type, id: record_id, at, before, after } = change;
  if (before === null) return [];
  const complete = (audience: Audience, topics: readonly NotificationTopic[]): Write =>
    buildCompletionWrite(audience, { record_id, topics, at } satisfies Completion);
  if (isApprovable(type) || type === 'proposal') {
    const waiting = type === 'proposal' ? 'pending' : 'submitted';
    const [old, current] = [before.document as Decided, after.document as Decided];
    const isDecided = old.state === waiting && (current.state !== waiting || after.deleted);
    const approvals = isDecided ? listApprovers(old.assignment_group) : [];
    const sla = isApprovable(type) && hasEnded(type, before, after) ? listSlaAudiences(type, before) : [];
    return [
      ...approvals.map((audience) => complete(audience, ['approvals'])),
      ...sla.map((audience) => complete(audience, ['sla'])),
    ];
  }
  if (type !== 'incident' || !isOpen(before)) return [];
  const [old, current] = [toIncident(before), toIncident(after)];
  const isClosed = !isOpen(after);
  return [
    ...(old.assigned_to && (isClosed || old.assigned_to !== current.assigned_to)
      ? [complete({ kind: 'user', name: old.assigned_to }, ['assignments', 'sla'])]
      : []),
    ...(old.assignment_group && (isClosed || old.assignment_group !== current.assignment_group)
      ? [complete({ kind: 'group', name: old.assignment_group }, ['incidents', 'sla'])]
      : []),
  ];
}

function notifyPerson(email: string, actor: string, notification: Notification): Write[] {
  if (!email.includes('@') || email.toLowerCase() === actor.toLowerCase()) return [];
  return [buildNotificationWrite({ kind: 'user', name: email }, notification, personalType)];
}

function isApprovable(type: string): type is 'change' | 'request' {
  return type === 'change' || type === 'request';
}

/** Whether a change ended the work on a record whose SLA was reported. */
function hasEnded(type: 'change' | 'request', before: RecordImage, after: RecordImage): boolean {
  const [old, current] = [before.document as Tracked, after.document as Tracked];
  const ended: readonly string[] = endedStates[type];
  return old.sla !== undefined && !ended.includes(old.state) && (after.deleted || ended.includes(current.state));
}

function isOpen({ document, deleted }: RecordImage): boolean {
  return !deleted && openIncidentStates.includes((document as { state: IncidentState }).state);
}

function toIncident({ document }: RecordImage): IncidentDocument {
  return document as IncidentDocument;
}

/** The group and the assignee. A request has neither, so the managers. */
function listSlaAudiences(type: string, { document }: RecordImage): Audience[] {
  const { assignment_group: group, assigned_to: assignee } = document as Partial<IncidentDocument>;
  const groups = type === 'request' ? ['itsm_manager'] : [group];
  return [
    ...groups.flatMap((name) => (name ? [{ kind: 'group', name } as const] : [])),
    ...(assignee ? [{ kind: 'user', name: assignee } as const] : []),
  ];
}

/** Notifies the people behind a record when its SLA is breached or at risk. */
export function buildSlaNotifications(change: RecordChange): Write[] {
  const { type, id: recordId, version, at, before, after } = change;
  if (before === null || after.deleted) return [];
  const marks = (eventRules[type]?.toEvents(change) ?? []).filter((event) => event.type.startsWith('sla.'));
  const { assignment_group: group = null, short_description, priority } = after.document as Partial<IncidentDocument>;
  // A late change may set both marks; the breach replaces the warning.
  return marks.slice(-1).flatMap(({ type: event }) => {
    const subject = type === 'incident' ? { incident_id: recordId, priority } : { record_id: recordId };
    // Derived from the change, so a repeated stream record creates no second notification.
    const notification = { id: `${recordId} ${version} ${event}`, event, created_at: at, ...subject, group };
    return listSlaAudiences(type, after).map((audience) =>
      buildNotificationWrite(audience, { ...notification, short_description }),
    );
  });
}
