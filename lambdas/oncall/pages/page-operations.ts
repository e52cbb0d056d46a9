import pMap from 'p-map';
import { maxListedPages, type Page } from '../../../contract/pages.ts';
import type { routes } from '../../../contract/routes.ts';
import { incidentTransitions, openIncidentStates } from '../../../contract/states.ts';
import type { IncidentDocument } from '../../incidents/incident.ts';
import { toIso } from '../../platform/clock.ts';
import type { UseCase } from '../../platform/http/response.ts';
import { newId } from '../../platform/ids.ts';
import { invalidField, ServiceError } from '../../platform/service-error.ts';
import { findRecord } from '../../records/change-record.ts';
import { toIdempotentRequest, writeOnce } from '../../records/idempotency.ts';
import type { ItemStore } from '../../records/item-store.ts';
import { readString } from '../../records/items.ts';
import { toLocation } from '../../records/record.ts';
import { recordSortKey, toRecord } from '../../records/record-item.ts';
import { listMessageLog, type MessageLogEntry } from '../channels/message.ts';
import type { ScheduleDocument } from '../schedules/schedule.ts';
import { buildPageInsert, getNextStepAt, type PageDocument, pageEntryPrefix, type StoredPage } from './page.ts';
import { findPage, type PageStore } from './page-items.ts';
import { describePolicy, findPolicy, newPage } from './start-pages.ts';

interface CreateTools {
  store: PageStore;
  isPersonKnown(email: string): Promise<boolean>;
  enqueue(pageIds: readonly string[]): Promise<void>;
}

/** If the page cannot be queued, the sweep finds it within two minutes. */
export function createPage({ store, isPersonKnown, enqueue }: CreateTools): UseCase<typeof routes.createPage> {
  return async ({ params: { id: incidentId }, body, headers }, { caller, clock, log }) => {
    const { document: incident } = await findRecord<IncidentDocument>(store, incidentId);
    assertOpen(incident);
    const target = await findTarget(body, { store, isPersonKnown });
    const nowMs = clock.now();
    const request = toIdempotentRequest('createPage', caller, headers, { id: incidentId, body });
    const response = await writeOnce(store, request, nowMs, () => {
      const id = newId('page');
      const document = newPage(incidentId, incident, {
        ...target,
        trigger: 'manual',
        requested_by: caller.email,
        created_at: toIso(nowMs),
        group: null,
        priorities: null,
        ci_id: null,
        reason: body.reason,
        text: `${caller.email} pages ${target.target.name}${body.reason === null ? '.' : `: ${body.reason}`}`,
      });
      return {
        writes: buildPageInsert(id, document),
        response: {
          status: 201 as const,
          headers: { Location: toLocation('incidents', `${incidentId}/pages`) },
          body: toPageResponse({ id, revision: 1, document }, []),
        },
        // Another page has this id; the next attempt chooses another one.
        onConditionFailed: () => {},
      };
    });
    await enqueue([response.body.id]).catch((error: unknown) =>
      log('error', 'failed to queue a page; the sweep will', { page: response.body.id, error: String(error) }),
    );
    return response;
  };
}

function assertOpen({ state }: IncidentDocument): void {
  if (openIncidentStates.includes(state)) return;
  throw new ServiceError('invalid_transition', `An incident in state ${state} pages nobody.`, {
    members: { allowed_transitions: incidentTransitions[state] },
  });
}

type Target = Pick<PageDocument, 'target' | 'steps' | 'repeat' | 'acknowledgement_expires_minutes'>;

const [directWaitMinutes, directRepeat] = [5, 2];

async function findTarget(
  { escalation_policy_id, schedule_id, person }: Parameters<ReturnType<typeof createPage>>[0]['body'],
  { store, isPersonKnown }: Pick<CreateTools, 'store' | 'isPersonKnown'>,
): Promise<Target> {
  if (escalation_policy_id !== undefined) {
    const policy = await findPolicy(store, escalation_policy_id);
    if (!policy) throw invalidField('escalation_policy_id', 'does not exist');
    return describePolicy(escalation_policy_id, policy);
  }
  if (schedule_id !== undefined) {
    const item = await store.get(schedule_id, recordSortKey);
    const schedule = item && toRecord<ScheduleDocument>(item);
    if (!schedule || schedule.deleted) throw invalidField('schedule_id', 'does not exist');
    return describeDirect('schedule', schedule_id, schedule.document.name);
  }
  const address = (person ?? '').toLowerCase();
  if (!(await isPersonKnown(address))) throw invalidField('person', 'is not in the directory');
  return describeDirect('person', address, address);
}

function describeDirect(type: 'schedule' | 'person', id: string, name: string): Target {
  return {
    target: { type, id, name },
    steps: [{ targets: [{ type, id }], wait_minutes: directWaitMinutes }],
    repeat: directRepeat,
    acknowledgement_expires_minutes: null,
  };
}

const concurrency = 10;

export function getPages(
  store: Pick<ItemStore, 'get' | 'range'>,
  messageStore: Pick<ItemStore, 'range'>,
): UseCase<typeof routes.getPages> {
  return async ({ params: { id } }) => {
    await findRecord(store, id);
    const range = { pk: id, prefix: pageEntryPrefix, order: 'newest first' as const };
    const entries = await store.range(range, maxListedPages + 1);
    if (entries.length === 0) return { status: 200, body: { data: [], truncated: false } };
    const ids = entries.slice(0, maxListedPages).map((item) => readString(item, 'page_id'));
    const [pages, messages] = await Promise.all([
      pMap(ids, (each) => findPage(store, each), { concurrency }),
      listMessageLog(messageStore, id),
    ]);
    const data = pages.flatMap((page) => (page ? [toPageResponse(page, messages)] : []));
    return { status: 200, body: { data, truncated: entries.length > maxListedPages } };
  };
}

function toPageResponse({ id, document }: StoredPage, messages: readonly MessageLogEntry[]): Page {
  const { incident_id, state, trigger, requested_by, reason, target, steps, repeat, step, repetition } = document;
  const { people, held_by, acknowledged_by, created_at, ended_at, log } = document;
  return {
    id,
    incident_id,
    state,
    trigger,
    requested_by,
    reason,
    target,
    steps,
    repeat,
    step,
    repetition,
    next_step_at: getNextStepAt(document),
    people,
    held_by,
    acknowledged_by,
    created_at,
    ended_at,
    log,
    messages: messages
      .filter(({ page_id }) => page_id === id)
      .map(({ at, message_id, to, channel, address, outcome, provider_message_id, error }) => ({
        at,
        message_id,
        to,
        channel,
        address,
        outcome,
        provider_message_id,
        error,
      })),
  };
}
