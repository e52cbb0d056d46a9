import { hash } from 'node:crypto';
import type { IncidentDocument, IncidentRecord } from '../../incidents/incident.ts';
import { buildNotificationWrite } from '../../notifications/notification.ts';
import type { Clock } from '../../platform/clock.ts';
import { deriveId } from '../../platform/ids.ts';
import { emitMetrics } from '../../platform/log.ts';
import { retry } from '../../platform/retry.ts';
import type { ItemStore } from '../../records/item-store.ts';
import { readString } from '../../records/items.ts';
import { newNote, toNoteWrite } from '../../records/notes.ts';
import { buildNoteCountUpdate, recordSortKey, toRecord } from '../../records/record-item.ts';
import type { Outcome, Write } from '../../records/write-items.ts';
import {
  buildPageUpdate,
  endPage,
  findEnd,
  isLoud,
  type PageDocument,
  type PageEnd,
  pageEntryPrefix,
  type StoredPage,
  toPage,
} from './page.ts';

// Reads and ends pages. Every end is written once, with the note and the alert that belong to it.

export type PageStore = Pick<ItemStore, 'get' | 'range' | 'transact'>;

export async function findPage(store: Pick<ItemStore, 'get'>, id: string): Promise<StoredPage | undefined> {
  const item = await store.get(id, recordSortKey);
  return item && toPage(item);
}

/** Undefined if the incident is deleted. */
export async function findIncident(store: Pick<ItemStore, 'get'>, id: string): Promise<IncidentRecord | undefined> {
  const item = await store.get(id, recordSortKey);
  const record = item && toRecord<IncidentDocument>(item);
  return record?.deleted === false ? record : undefined;
}

/** More active pages than people can have started. */
const maxActivePages = 100;

/** Ends the pages of an incident that are no longer needed. Reads the incident, because a change may be outdated. */
export async function endNeedlessPages(store: PageStore, clock: Clock, incidentId: string): Promise<void> {
  const pages = await listActivePages(store, incidentId);
  if (pages.length === 0) return;
  const incident = await findIncident(store, incidentId);
  for (const { id } of pages) {
    await finishPage(store, clock, id, ({ document }) => findEnd(document, incident?.document), incident);
  }
}

/** Ends all pages of an incident because somebody answers. */
export async function acknowledgePages(store: PageStore, clock: Clock, incidentId: string, by: string): Promise<void> {
  const pages = await listActivePages(store, incidentId);
  if (pages.length === 0) return;
  const incident = await findIncident(store, incidentId);
  const toEnd = (): PageEnd => ({ state: 'acknowledged', by, at: new Date(clock.now()).toISOString() });
  for (const { id } of pages) await finishPage(store, clock, id, toEnd, incident);
}

export async function listActivePages(store: Pick<ItemStore, 'range'>, incidentId: string): Promise<{ id: string }[]> {
  const filter = { expression: 'attribute_not_exists(#ended)', names: { '#ended': 'ended_at' }, values: {} };
  const items = await store.range({ pk: incidentId, prefix: pageEntryPrefix, filter }, maxActivePages);
  return items.map((item) => ({ id: readString(item, 'page_id') }));
}

/** Applies the end to the current revision. Does nothing if the page has ended, or needs no end. */
export async function finishPage(
  store: PageStore,
  clock: Clock,
  id: string,
  toEnd: (page: StoredPage) => PageEnd | undefined,
  incident: IncidentRecord | undefined,
): Promise<void> {
  const attempt = async () => {
    const page = await findPage(store, id);
    const end = page && page.document.ended_at === null ? toEnd(page) : undefined;
    if (!page || !end) return true;
    const outcome = await writePage(store, page, endPage(page.document, end, clock.now()), incident);
    return outcome.kind === 'written' || undefined;
  };
  await retry(attempt, { exhausted: () => new Error(`${id} could not be ended: too many conflicts`) });
}

/** Writes the next state of a page, with the note and the notification that an unanswered page leaves. */
export async function writePage(
  store: Pick<ItemStore, 'transact'>,
  page: StoredPage,
  next: PageDocument,
  incident: IncidentRecord | undefined,
  additions: readonly Write[] = [],
): Promise<Outcome> {
  const document = next.state === 'acknowledged' ? { ...next, ...toProgressMark(incident) } : next;
  const writes = [...buildPageUpdate(page, document), ...additions];
  const loud = isLoud(document.state) && incident ? buildLoudWrites(page.id, document) : [];
  let outcome = await store.transact([...writes, ...loud]);
  // The incident was deleted meanwhile, so it takes no note.
  if (outcome.kind === 'condition_failed' && outcome.failedWrite === 'record') outcome = await store.transact(writes);
  if (outcome.kind === 'written' && (document.state === 'exhausted' || document.state === 'unreachable')) {
    emitMetrics({ PagesUnanswered: 1 });
  }
  return outcome;
}

/** Changed when somebody works on the incident. Marks of the SLA and escalations are no progress. */
export function toProgressMark(incident: IncidentRecord | undefined): Pick<PageDocument, 'progress_mark'> {
  if (!incident) return {};
  const {
    sla: _sla,
    sla_breach_at: _due,
    sla_breached_at: _breach,
    escalation: _escalation,
    ...worked
  } = incident.document;
  return { progress_mark: hash('sha256', JSON.stringify([worked, incident.notes_count])) };
}

function buildLoudWrites(
  id: string,
  { incident_id, state, ended_at, log, title, priority, group }: PageDocument,
): Write[] {
  const at = ended_at ?? '';
  const text = log.at(-1)?.text ?? '';
  const note = {
    ...newNote(incident_id, { body: text, visibility: 'team', attachments: [] }, 'paging', Date.parse(at)),
    id: deriveId('note', id),
  };
  const alert = {
    id: `${id} ${state}`,
    event: `page.${state}`,
    created_at: at,
    incident_id,
    group,
    short_description: title,
    priority,
    text,
  };
  const notification = buildNotificationWrite({ kind: 'group', name: 'itsm_manager' }, alert);
  return [
    buildNoteCountUpdate(incident_id, { notes: 1, private: 0 }, Date.parse(at)),
    toNoteWrite(note),
    ...(state === 'held' ? [] : [notification]),
  ];
}
