import { openIncidentStates } from '../../../contract/states.ts';
import type { IncidentDocument, IncidentRecord } from '../../incidents/incident.ts';
import { type Clock, dayMs, toIso, toUtcDate } from '../../platform/clock.ts';
import { deriveId } from '../../platform/ids.ts';
import { retry } from '../../platform/retry.ts';
import { ServiceError } from '../../platform/service-error.ts';
import type { Changer } from '../../records/change-record.ts';
import type { Author } from '../../records/record.ts';
import { toItemKey } from '../../records/record-item.ts';
import type { Write } from '../../records/write-items.ts';
import type { Messages } from '../channels/messages.ts';
import type { TargetResolver } from '../schedules/resolve-targets.ts';
import type { AcknowledgeLinks } from './acknowledge-link.ts';
import {
  addLog,
  buildPageInsert,
  buildPageUpdate,
  describeStep,
  endPage,
  findEnd,
  type PageDocument,
  type StoredPage,
  takeNextStep,
} from './page.ts';
import { findIncident, findPage, type PageStore, toProgressMark, writePage } from './page-items.ts';
import { toLoadPartition } from './paging-load.ts';

// Takes the step of a page that is due. Calling it too early, twice or after a crash is harmless: a step is stored before
// its messages are requested, messages that may not have been requested are requested again with the same ids, and the
// worker that sends them drops those it knows.

export interface AdvanceTools {
  store: PageStore;
  change: Changer<IncidentDocument>;
  resolver: TargetResolver;
  messages: Messages;
  links: Pick<AcknowledgeLinks, 'sign'>;
  /** Queues another page. */
  enqueue(pageIds: readonly string[]): Promise<void>;
  clock: Clock;
}

/** `active`: the page has more to do at `wake_at`. */
export interface Advanced {
  page_id: string;
  active: boolean;
  wake_at: string;
}

export async function advancePage(id: string, tools: AdvanceTools): Promise<Advanced> {
  const wakeAt = await retry(() => attemptAdvance(id, tools), {
    exhausted: () => new Error(`${id} could not be advanced: too many conflicts`),
  });
  return { page_id: id, active: wakeAt !== null, wake_at: wakeAt ?? toIso(tools.clock.now()) };
}

/** Returns the time at which there is more to do, null if there is none, and undefined after a conflict. */
async function attemptAdvance(id: string, tools: AdvanceTools): Promise<string | null | undefined> {
  const { store, clock } = tools;
  const page = await findPage(store, id);
  if (!page) return null;
  const { document } = page;
  const nowMs = clock.now();
  const incident = await findIncident(store, document.incident_id);
  if (document.ended_at !== null) return expireAcknowledgement(page, incident, tools);
  const end = findEnd(document, incident?.document);
  if (end) {
    const ended = endPage(document, end, nowMs);
    const { kind } = await writePage(store, page, ended, incident);
    return kind === 'written' ? ended.wake_at : undefined;
  }
  if (!incident) return null;
  if (document.unsent.length > 0) return requestMessages(page, tools);
  if (document.wake_at !== null && Date.parse(document.wake_at) > nowMs) return document.wake_at;
  const next = await takeNextStep(document, ({ targets }) => tools.resolver.resolve(targets, nowMs), nowMs);
  if (next.ended_at !== null) {
    const { kind } = await writePage(store, page, next, incident);
    return kind === 'written' ? null : undefined;
  }
  const isWritten = await writeStep(page, next, incident, tools);
  return isWritten ? requestMessages({ ...page, revision: page.revision + 1, document: next }, tools) : undefined;
}

/** A later step is also a version of the incident, which emits `incident.escalated` and is part of its history. */
async function writeStep(
  page: StoredPage,
  next: PageDocument,
  incident: IncidentRecord,
  { store, change }: AdvanceTools,
): Promise<boolean> {
  const writes = [...buildPageUpdate(page, next), ...buildLoadWrites(page, next)];
  if (page.document.people.length === 0) return (await store.transact(writes)).kind === 'written';
  const escalation = { page_id: page.id, step: next.step, repetition: next.repetition };
  try {
    await change({
      id: incident.id,
      author: toPageAuthor(page.id),
      apply: ({ document }) => {
        if (findEnd(page.document, document)) throw new Conflict();
        return { document: { ...document, escalation }, additionalWrites: writes };
      },
      onConditionFailed: () => {
        throw new Conflict();
      },
    });
    return true;
  } catch (error) {
    if (error instanceof Conflict || (error instanceof ServiceError && error.code === 'not_found')) return false;
    throw error;
  }
}

class Conflict extends Error {}

function toPageAuthor(pageId: string): Author {
  return { actor: 'paging', origin: { kind: 'page', id: pageId } };
}

/** Statistics of pages per person and night. */
function buildLoadWrites({ id, document: before }: StoredPage, { people, incident_id }: PageDocument): Write[] {
  return people.slice(before.people.length).map(({ person, paged_at }) => ({
    name: 'load',
    put: {
      Item: {
        ...toItemKey(toLoadPartition(toUtcDate(Date.parse(paged_at))), `${id}#${person}`),
        person: { S: person },
        at: { S: paged_at },
        incident_id: { S: incident_id },
        expires_at: { N: String(Math.ceil((Date.parse(paged_at) + loadRetentionMs) / 1_000)) },
      },
    },
  }));
}

const loadRetentionMs = 400 * dayMs;

/** Requests the messages of the current step, and then records that they are durable. */
async function requestMessages(
  page: StoredPage,
  { store, messages, links, clock }: AdvanceTools,
): Promise<string | null | undefined> {
  const { id, document } = page;
  const title = `${document.priority} ${document.title}`;
  await messages.request(
    await Promise.all(
      document.unsent.map(async (person) => ({
        id: `${id} ${document.repetition}.${document.step} ${person}`,
        to: person,
        urgency: 'page' as const,
        record_id: document.incident_id,
        page_id: id,
        title,
        reason: describeReason(document),
        acknowledge_url: await links.sign(
          { pageId: id, person: document.people.findIndex((each) => each.person === person) },
          clock.now(),
        ),
      })),
    ),
  );
  const { kind } = await store.transact(buildPageUpdate(page, { ...document, unsent: [] }));
  return kind === 'written' ? document.wake_at : undefined;
}

function describeReason(page: PageDocument): string {
  const step = describeStep(page);
  const { trigger, requested_by, reason, target } = page;
  if (trigger === 'manual') return `${requested_by} pages you${reason === null ? '' : `: ${reason}`} (${step})`;
  return `${target.name}, ${step}: ${page.log[0]?.text ?? ''}`;
}

/** If nobody worked on the incident since it was acknowledged, the escalation starts again with a new page. */
async function expireAcknowledgement(
  page: StoredPage,
  incident: IncidentRecord | undefined,
  { store, change, enqueue, clock }: AdvanceTools,
): Promise<string | null | undefined> {
  const { document } = page;
  const nowMs = clock.now();
  if (document.state !== 'acknowledged' || document.wake_at === null) return null;
  if (Date.parse(document.wake_at) > nowMs) return document.wake_at;
  const done = { ...document, wake_at: null };
  const isIdle = (record: IncidentRecord | undefined): record is IncidentRecord =>
    record !== undefined &&
    record.document.acknowledged_at !== null &&
    openIncidentStates.includes(record.document.state) &&
    toProgressMark(record).progress_mark === document.progress_mark;
  if (!isIdle(incident)) {
    const { kind } = await store.transact(buildPageUpdate(page, done));
    return kind === 'written' ? null : undefined;
  }
  const nextId = deriveId('page', `${page.id} expired`);
  const text = `${document.acknowledged_by} acknowledged the incident, but nobody worked on it.`;
  try {
    await change({
      id: incident.id,
      author: toPageAuthor(page.id),
      apply: (record, atMs) => {
        if (!isIdle(record)) throw new Conflict();
        const writes = [
          ...buildPageUpdate(page, addLog(done, 'expired', 'The acknowledgement expired without progress.', nowMs)),
          ...buildPageInsert(nextId, toNextPage(document, text, atMs)),
        ];
        return { document: { ...record.document, ...unacknowledged }, additionalWrites: writes };
      },
      onConditionFailed: () => {
        throw new Conflict();
      },
    });
  } catch (error) {
    if (error instanceof Conflict) return undefined;
    throw error;
  }
  await enqueue([nextId]);
  return null;
}

const unacknowledged = { acknowledged_at: null, acknowledged_by: null };

function toNextPage(page: PageDocument, text: string, atMs: number): PageDocument {
  const { progress_mark: _, ...kept } = page;
  return {
    ...kept,
    state: 'paging',
    trigger: 'acknowledgement_expired',
    requested_by: 'paging',
    step: 0,
    repetition: 0,
    people: [],
    unsent: [],
    acknowledged_by: null,
    created_at: toIso(atMs),
    ended_at: null,
    wake_at: null,
    log: [{ at: toIso(atMs), kind: 'started', text }],
  };
}
