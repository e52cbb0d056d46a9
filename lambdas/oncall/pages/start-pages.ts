import type { DynamoDBRecord } from 'aws-lambda';
import pMap from 'p-map';
import type { PageTrigger, Priority } from '../../../contract/states.ts';
import { openIncidentStates, priorities } from '../../../contract/states.ts';
import type { IncidentDocument } from '../../incidents/incident.ts';
import { type Clock, toIso } from '../../platform/clock.ts';
import { deriveId } from '../../platform/ids.ts';
import type { ItemStore } from '../../records/item-store.ts';
import { readString } from '../../records/items.ts';
import type { RecordChange } from '../../records/record-change.ts';
import { recordSortKey, toRecord } from '../../records/record-item.ts';
import { writeWithRetry } from '../../records/write-items.ts';
import { findGroupPaging } from '../policies/group-paging.ts';
import type { PolicyDocument } from '../policies/policy.ts';
import { buildPageInsert, type PageDocument } from './page.ts';
import { endNeedlessPages, finishPage, listActivePages, type PageStore } from './page-items.ts';

// Starts and ends pages when incidents change, from the stream of committed writes. The id of a page is derived from the
// version that started it, so a repeated batch starts nothing twice. The page is stored before its worker is called; if
// that fails, the batch is repeated, and the sweep finds the page in any case.

export interface StartTools {
  store: PageStore;
  /** Queues pages for the worker. */
  enqueue(pageIds: readonly string[]): Promise<void>;
  /** Queues pages that a change in progress may hold back. */
  check(pageIds: readonly string[]): Promise<void>;
  clock: Clock;
}

const concurrency = 10;

/** The page in a stream entry that was checked for changes in progress just now and must be sent. */
export function findCheckedPage({ dynamodb }: DynamoDBRecord): string[] {
  const { NewImage, OldImage } = dynamodb ?? {};
  if (NewImage?.type?.S !== 'page' || !isUnchecked(OldImage) || isUnchecked(NewImage) || NewImage.ended_at) return [];
  return [readString(NewImage, 'pk')];
}

/** Pages that wait for the check have the attribute `check`. */
function isUnchecked(image: Record<string, unknown> | undefined): boolean {
  return image?.check !== undefined;
}

export async function followIncidents(
  changes: readonly RecordChange[],
  checkedPages: readonly string[],
  tools: StartTools,
): Promise<void> {
  const incidents = changes.filter(({ type }) => type === 'incident');
  const ended = new Set(incidents.filter(mayEndPages).map(({ id }) => id));
  await pMap(ended, (id) => endNeedlessPages(tools.store, tools.clock, id), { concurrency });
  const started = await pMap(incidents, (change) => startPage(change, tools), { concurrency });
  const pages = started.flatMap((page) => page ?? []);
  await tools.enqueue([...checkedPages, ...pages.filter(({ mayBeHeld }) => !mayBeHeld).map(({ id }) => id)]);
  await tools.check(pages.filter(({ mayBeHeld }) => mayBeHeld).map(({ id }) => id));
}

const toIncident = ({ document }: { document: unknown }) => document as IncidentDocument;

function mayEndPages({ before, after }: RecordChange): boolean {
  if (before === null) return false;
  const [old, current] = [toIncident(before), toIncident(after)];
  return (
    after.deleted ||
    old.state !== current.state ||
    old.priority !== current.priority ||
    old.assignment_group !== current.assignment_group ||
    (current.acknowledged_at !== null && old.acknowledged_at !== current.acknowledged_at)
  );
}

/** What may start a page, before the settings of the group are known. */
export function findTrigger({ before, after }: RecordChange): PageTrigger | undefined {
  const current = toIncident(after);
  if (after.deleted || current.assignment_group === null || !openIncidentStates.includes(current.state)) {
    return undefined;
  }
  if (before === null) return 'created';
  const old = toIncident(before);
  if (current.state === 'reopened' && old.state !== 'reopened') return 'reopened';
  if (current.assignment_group !== old.assignment_group) return 'reassigned';
  if (priorities.indexOf(current.priority) < priorities.indexOf(old.priority)) return 'priority_raised';
  return undefined;
}

async function startPage(change: RecordChange, { store, clock }: StartTools) {
  const trigger = findTrigger(change);
  const incident = toIncident(change.after);
  const group = incident.assignment_group;
  if (!trigger || group === null) return undefined;
  const { escalation_policy_id: policyId, priorities: paging } = await findGroupPaging(store, group);
  if (policyId === null || !paging.includes(incident.priority)) return undefined;
  if (trigger === 'priority_raised' && change.before && paging.includes(toIncident(change.before).priority)) {
    return undefined;
  }
  const id = deriveId('page', `${change.id} ${change.version}`);
  const policy = await findPolicy(store, policyId);
  const fields = describePolicy(policyId, policy);
  const mayBeHeld = change.origin.kind === 'webhook' && incident.ci_id !== null;
  const document = newPage(change.id, incident, {
    ...fields,
    trigger,
    requested_by: change.actor,
    created_at: change.at,
    group,
    priorities: paging,
    ci_id: mayBeHeld ? incident.ci_id : null,
    text: describeTrigger(trigger, incident),
  });
  // False if an earlier attempt of the batch stored it.
  await writeWithRetry(store, buildPageInsert(id, document));
  if (trigger !== 'created') await replaceOlderPages(change.id, id, document.created_at, { store, clock });
  return { id, mayBeHeld };
}

/** A reopened incident may still have the page of its first life. */
async function replaceOlderPages(
  incidentId: string,
  newId: string,
  createdAt: string,
  { store, clock }: Pick<StartTools, 'store' | 'clock'>,
): Promise<void> {
  for (const { id } of await listActivePages(store, incidentId)) {
    if (id === newId) continue;
    await finishPage(
      store,
      clock,
      id,
      ({ document: { trigger, created_at } }) =>
        trigger === 'manual' || created_at >= createdAt
          ? undefined
          : { state: 'ended', text: `The page ${newId} replaces it.` },
      undefined,
    );
  }
}

export async function findPolicy(store: Pick<ItemStore, 'get'>, id: string): Promise<PolicyDocument | undefined> {
  const item = await store.get(id, recordSortKey);
  const record = item && toRecord<PolicyDocument>(item);
  return record?.deleted === false ? record.document : undefined;
}

type PolicyFields = Pick<PageDocument, 'target' | 'steps' | 'repeat' | 'acknowledgement_expires_minutes'>;

/** A policy that was deleted meanwhile pages nobody, which ends the page loudly. */
export function describePolicy(id: string, policy: PolicyDocument | undefined): PolicyFields {
  return {
    target: { type: 'policy', id, name: policy?.name ?? id },
    steps: policy?.steps ?? [],
    repeat: policy?.repeat ?? 0,
    acknowledgement_expires_minutes: policy?.acknowledgement_expires_minutes ?? null,
  };
}

interface NewPage extends PolicyFields, Pick<PageDocument, 'trigger' | 'requested_by' | 'created_at' | 'ci_id'> {
  group: string | null;
  priorities: readonly Priority[] | null;
  reason?: string | null;
  /** The first entry of the log. */
  text: string;
}

export function newPage(
  incidentId: string,
  { short_description: title, priority }: Pick<IncidentDocument, 'short_description' | 'priority'>,
  { text, reason = null, ...fields }: NewPage,
): PageDocument {
  return {
    ...fields,
    reason,
    incident_id: incidentId,
    title,
    priority,
    state: 'paging',
    step: 0,
    repetition: 0,
    people: [],
    unsent: [],
    held_by: null,
    acknowledged_by: null,
    ended_at: null,
    wake_at: null,
    log: [{ at: toIso(fields.created_at), kind: 'started', text }],
  };
}

function describeTrigger(trigger: PageTrigger, { priority, assignment_group: group }: IncidentDocument): string {
  if (trigger === 'reopened') return `The incident was reopened with priority ${priority}.`;
  if (trigger === 'reassigned') return `The incident was assigned to ${group} with priority ${priority}.`;
  if (trigger === 'priority_raised') return `The priority was raised to ${priority}.`;
  return `The incident was created with priority ${priority}.`;
}
