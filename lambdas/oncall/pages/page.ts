import type { EscalationStep } from '../../../contract/escalation-policies.ts';
import type { Page, PageLogEntry } from '../../../contract/pages.ts';
import { openIncidentStates, type PageState, type Priority } from '../../../contract/states.ts';
import type { IncidentDocument } from '../../incidents/incident.ts';
import { toIso } from '../../platform/clock.ts';
import { type DueWork, toDueKeys } from '../../records/index-store.ts';
import { type Item, readNumber, readString } from '../../records/items.ts';
import { recordSortKey, toItemKey } from '../../records/record-item.ts';
import type { Write } from '../../records/write-items.ts';
import type { ResolvedPerson } from '../schedules/resolve-targets.ts';

// A page and its rules. Its whole state is one item, and every write is conditional on the previous revision, so two
// executions of a page, or a worker that continues after a crash, take each step once (docs/decisions/0115-paging.md).
//
// | Access pattern                     | Call    | Key                                                          |
// |------------------------------------|---------|--------------------------------------------------------------|
// | a page                             | GetItem | pk = page id, sk = #                                         |
// | the pages of an incident           | Query   | pk = incident id, sk = page#<time>#<page id>                 |
// | pages whose worker is overdue      | Query   | index due, due_pk = page#<shard>, due_sk = <time>#<page id>  |

export interface PageDocument
  extends Pick<
    Page,
    | 'incident_id'
    | 'state'
    | 'trigger'
    | 'requested_by'
    | 'reason'
    | 'target'
    | 'steps'
    | 'repeat'
    | 'step'
    | 'repetition'
    | 'people'
    | 'held_by'
    | 'acknowledged_by'
    | 'created_at'
    | 'ended_at'
    | 'log'
  > {
  /** What the messages quote. */
  title: string;
  priority: Priority;
  /** The page ends when the incident has another group or another priority; null for a page by hand. */
  group: string | null;
  priorities: readonly Priority[] | null;
  /** Of the policy. */
  acknowledgement_expires_minutes: number | null;
  /** An alert that a change in progress may explain. */
  ci_id: string | null;
  /** When there is more to do: the next step, or the expiry of the acknowledgement. */
  wake_at: string | null;
  /** The people of the current step whose messages are not known to be requested yet. */
  unsent: readonly string[];
  /** Of the incident when the page was acknowledged; without a change there was no progress. */
  progress_mark?: string;
}

export interface StoredPage {
  id: string;
  revision: number;
  document: PageDocument;
}

export const maxPeoplePerStep = 50;

/** A worker or an execution that is later than this is replaced by the sweep. */
const graceMs = 60_000;

export const pageWork: DueWork = { kind: 'page', shards: 4 };

export function getNextStepAt({ state, wake_at }: PageDocument): string | null {
  return state === 'paging' ? wake_at : null;
}

// Rules

/** Why the page must end, judged by the current incident; undefined while it is needed. */
export function findEnd(page: PageDocument, incident: IncidentDocument | undefined): PageEnd | undefined {
  if (!incident) return { state: 'ended', text: 'The incident was deleted.' };
  const { acknowledged_at, acknowledged_by, state, priority, assignment_group } = incident;
  if (acknowledged_at !== null && acknowledged_at > page.created_at) {
    return { state: 'acknowledged', by: acknowledged_by ?? 'unknown', at: acknowledged_at };
  }
  if (!openIncidentStates.includes(state)) return { state: 'ended', text: `The incident is ${state}.` };
  if (page.group !== null && assignment_group !== page.group) {
    return { state: 'ended', text: `The incident was reassigned to ${assignment_group ?? 'no group'}.` };
  }
  if (page.priorities && !page.priorities.includes(priority)) {
    return { state: 'ended', text: `The priority is ${priority} now, which does not page.` };
  }
  return undefined;
}

export type PageEnd =
  | { state: 'acknowledged'; by: string; at: string }
  | { state: 'ended' | 'exhausted' | 'unreachable'; text: string }
  | { state: 'held'; text: string; change: string };

export function endPage(page: PageDocument, end: PageEnd, nowMs: number): PageDocument {
  const ended = { ...page, state: end.state, ended_at: toIso(nowMs), wake_at: null, unsent: [] };
  if (end.state === 'acknowledged') {
    const minutes = page.acknowledgement_expires_minutes;
    return {
      ...addLog(ended, 'acknowledged', `Acknowledged by ${end.by}.`, nowMs),
      acknowledged_by: end.by,
      wake_at: minutes === null ? null : toIso(Date.parse(end.at) + minutes * 60_000),
    };
  }
  return {
    ...addLog(ended, end.state, end.text, nowMs),
    ...(end.state === 'held' && { held_by: end.change }),
  };
}

/** Finds the people of a step. */
export type ResolveStep = (step: EscalationStep) => Promise<readonly ResolvedPerson[]>;

/**
 * Takes the next step that has anybody to page. Steps with nobody are skipped at once. Ends the page after the last
 * repetition, and when no step has anybody.
 */
export async function takeNextStep(page: PageDocument, resolve: ResolveStep, nowMs: number): Promise<PageDocument> {
  let current = page;
  for (let skipped = 0; skipped < page.steps.length; skipped++) {
    const next = findNextPosition(current);
    if (!next) return endPage(current, exhausted(current), nowMs);
    const step = page.steps[next.step - 1];
    const found = step ? await resolve(step) : [];
    if (step && found.length > 0) return pagePeople({ ...current, ...next }, step.wait_minutes, found, nowMs);
    current = addLog(
      { ...current, ...next },
      'skipped',
      `${describeStep({ ...page, ...next })}: nobody to page.`,
      nowMs,
    );
  }
  return endPage(current, current.people.length > 0 ? exhausted(current) : unreachable, nowMs);
}

const unreachable: PageEnd = {
  state: 'unreachable',
  text: 'NOBODY WAS PAGED: no step of the escalation has anybody on call.',
};

function exhausted({ people, repeat }: PageDocument): PageEnd {
  if (people.length === 0) return unreachable;
  const times = repeat === 0 ? 'the last step' : `${repeat + 1} rounds`;
  return { state: 'exhausted', text: `NOBODY ACKNOWLEDGED after ${times}: the escalation has ended.` };
}

function findNextPosition({ step, repetition, repeat, steps }: PageDocument) {
  if (step < steps.length) return { step: step + 1, repetition };
  return repetition < repeat && steps.length > 0 ? { step: 1, repetition: repetition + 1 } : undefined;
}

function pagePeople(
  page: PageDocument,
  waitMinutes: number,
  found: readonly ResolvedPerson[],
  nowMs: number,
): PageDocument {
  const paged = found.slice(0, maxPeoplePerStep);
  const known = new Set(page.people.map(({ person }) => person));
  const added = paged.filter(({ person }) => !known.has(person)).map((each) => ({ ...each, paged_at: toIso(nowMs) }));
  const names = paged.map(({ person, via }) => `${person} (${via})`).join(', ');
  const more = found.length > paged.length ? `, and not ${found.length - paged.length} more` : '';
  return {
    ...addLog(page, 'paged', `${describeStep(page)}: ${names}${more}.`, nowMs),
    people: [...page.people, ...added],
    unsent: paged.map(({ person }) => person),
    wake_at: toIso(nowMs + waitMinutes * 60_000),
  };
}

export function describeStep({ step, steps, repetition }: Pick<PageDocument, 'step' | 'steps' | 'repetition'>): string {
  return `Step ${step} of ${steps.length}${repetition === 0 ? '' : `, repetition ${repetition}`}`;
}

/** A page has at most 10 steps, 10 rounds and one end. */
const maxLogEntries = 120;

export function addLog(page: PageDocument, kind: PageLogEntry['kind'], text: string, nowMs: number): PageDocument {
  return { ...page, log: [...page.log, { at: toIso(nowMs), kind, text }].slice(-maxLogEntries) };
}

// Items

/** The first revision, and the entry in the list of the incident. */
export function buildPageInsert(id: string, document: PageDocument): Write[] {
  const entry = {
    Item: { ...toItemKey(document.incident_id, toEntryKey(id, document)), page_id: { S: id } },
  };
  return [buildPageWrite({ id, revision: 1, document }), { name: 'page entry', put: entry }];
}

/** Writes the next revision of a page, and marks its entry when it has ended. Fails if another worker was faster. */
export function buildPageUpdate({ id, revision }: StoredPage, document: PageDocument): Write[] {
  const write = buildPageWrite({ id, revision: revision + 1, document });
  if (document.ended_at === null) return [write];
  const update = {
    Key: toItemKey(document.incident_id, toEntryKey(id, document)),
    UpdateExpression: 'SET ended_at = :at, page_id = :page',
    ExpressionAttributeValues: { ':at': { S: document.ended_at }, ':page': { S: id } },
  };
  return [write, { name: 'page entry', update }];
}

/** The worker that sends messages reads `ended_at` as an attribute. */
function buildPageWrite({ id, revision, document }: StoredPage): Write {
  const { ended_at, state, wake_at } = document;
  const put = {
    Item: {
      ...toItemKey(id, recordSortKey),
      type: { S: 'page' },
      revision: { N: String(revision) },
      document: { S: JSON.stringify(document) },
      ...(ended_at !== null && { ended_at: { S: ended_at } }),
      ...(document.ci_id !== null && { check: { BOOL: true } }),
      ...((state === 'paging' || wake_at !== null) && toDueAttributes(id, wake_at ?? document.created_at)),
    },
    ...(revision === 1
      ? { ConditionExpression: 'attribute_not_exists(pk)' }
      : {
          ConditionExpression: 'revision = :before',
          ExpressionAttributeValues: { ':before': { N: String(revision - 1) } },
        }),
  };
  return { name: 'page', put };
}

function toDueAttributes(id: string, wakeAt: string) {
  const { due_pk, due_sk } = toDueKeys(pageWork, id, Date.parse(wakeAt) + graceMs);
  return { due_pk: { S: due_pk }, due_sk: { S: due_sk } };
}

export function toPage(item: Item): StoredPage {
  return {
    id: readString(item, 'pk'),
    revision: readNumber(item, 'revision'),
    document: JSON.parse(readString(item, 'document')),
  };
}

export const pageEntryPrefix = 'page#';

function toEntryKey(id: string, { created_at }: Pick<PageDocument, 'created_at'>): string {
  return `${pageEntryPrefix}${created_at}#${id}`;
}

export function isLoud(state: PageState): boolean {
  return state === 'exhausted' || state === 'unreachable' || state === 'held';
}
