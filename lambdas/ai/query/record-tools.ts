import * as z from 'zod';
import { findIdKind, type IdKind, idFormats } from '../../../contract/ids.ts';
import { hasRole } from '../../../contract/roles.ts';
import { changeView } from '../../changes/change.ts';
import { ciType } from '../../cmdb/ci.ts';
import { toIncidentResponse } from '../../incidents/incident.ts';
import { articleType, canReadArticle } from '../../knowledge/article.ts';
import type { getOnCall } from '../../oncall/schedules/read-shifts.ts';
import type { Caller } from '../../platform/caller.ts';
import { dayMs, toIso } from '../../platform/clock.ts';
import { problemResource } from '../../problems/problem.ts';
import { findRecord, notFound } from '../../records/change-record.ts';
import type { ItemStore } from '../../records/item-store.ts';
import { listNotes } from '../../records/notes.ts';
import type { CursorSeal } from '../../records/page.ts';
import type { Resource, StoredRecord } from '../../records/record.ts';
import { listHistory } from '../../records/record-operations.ts';
import { requestView } from '../../requests/request.ts';
import { diffTracked } from '../../sla/track-sla.ts';
import { summarizeDeliveries } from '../../webhooks/outbound/delivery-statistics.ts';
import type { DeliveryStore } from '../../webhooks/outbound/delivery-store.ts';
import type { OutboundWebhookList } from '../../webhooks/outbound/webhook-list.ts';
import type { FindPassages } from '../knowledge/find-passages.ts';
import type { RunnableTool } from '../model/language-model.ts';
import { findClosest } from './names.ts';
import type { ToolContext } from './resolve-filters.ts';

// Tools for one record, articles, people on call and webhooks. Each shows what the caller may read in the API.

export interface RecordSources {
  store: Pick<ItemStore, 'get' | 'range' | 'slice'>;
  seal: CursorSeal;
}

type Shown = Pick<Resource<never, unknown>, 'toResponse' | 'changes'>;

const resources: Partial<Record<IdKind, Shown>> = {
  incident: { toResponse: toIncidentResponse, changes: diffTracked } as unknown as Shown,
  change: changeView as unknown as Shown,
  request: requestView as unknown as Shown,
  problem: problemResource as unknown as Shown,
  ci: ciType as unknown as Shown,
  article: articleType as unknown as Shown,
};

const prefixes = Object.keys(resources).map((kind) => idFormats[kind as IdKind].prefix);
const maxEntries = 100;
const maxNotes = 5;
const maxChanges = 20;

export function createRecordTool(
  { store, seal }: RecordSources,
  context: ToolContext & { caller: Caller },
): RunnableTool {
  const clock = { now: () => context.nowMs };
  return {
    name: 'get_record',
    description: 'Returns all fields of a record that the caller may see, on request with its notes and history.',
    input: z.strictObject({
      id: z
        .string()
        .regex(new RegExp(`^(${prefixes.join('|')})\\w{1,18}$`))
        .meta({ description: `Id of a record: ${prefixes.join('…, ')}…` }),
      include: z.array(z.enum(['notes', 'history'])).optional(),
    }),
    run: async (input) => {
      const { id, include = [] } = input as { id: string; include?: readonly string[] };
      const kind = findIdKind(id);
      const resource = kind && resources[kind];
      if (!resource) throw notFound(id);
      const record = await findRecord<never>(store, id);
      if (kind === 'article' && !canReadArticle(record as StoredRecord<never>, context.caller)) throw notFound(id);
      const fields = resource.toResponse(record) as Record<string, unknown>;
      const { body: history } = await listHistory<never>(
        store,
        resource,
        seal,
      )({ params: { id }, query: { limit: maxEntries } } as never, { caller: context.caller });
      const items = [fields.ci_id ?? fields.ci_ids ?? []].flat().map(String);
      const itemNames = items.length > 0 ? await context.names.itemNames(items) : new Map<string, string>();
      const ci = items.map((item) => (itemNames.has(item) ? `${itemNames.get(item)} (${item})` : item)).join(', ');
      const resolution = history.data.findLast(({ changes }) => changes.state?.to === 'resolved');
      const page = { params: { id }, query: { limit: maxNotes, order: 'desc' } } as never;
      const notes = include.includes('notes')
        ? (await listNotes(store, seal)(page, { caller: context.caller, clock } as never)).body.data
        : undefined;
      return {
        ...fields,
        ...(ci !== '' && { ci }),
        ...(resolution && fields.resolved_at !== null && { resolved_by: resolution.actor }),
        ...(notes && {
          notes: notes.map(({ author, created_at, body }) => ({ author, created_at, text: body })),
        }),
        ...(include.includes('history') && {
          history: history.data.slice(-maxChanges).map(({ at, actor, changes }) => ({ at, actor, changes })),
        }),
      };
    },
  };
}

const maxPassages = 4;

export function createKnowledgeTool(findPassages: FindPassages): RunnableTool {
  return {
    name: 'search_knowledge',
    description:
      'Searches knowledge articles for passages that explain how to do something or what something means. Passages with the ' +
      'tier `middle` may not answer the question.',
    input: z.strictObject({ text: z.string().min(1).max(1_000).meta({ description: 'The question.' }) }),
    run: async (input) => {
      const { text } = input as { text: string };
      const { passages, confidence, tier } = await findPassages(text, maxPassages);
      const shown = (tier === 'low' ? [] : passages).map(({ source, title, text: part, relevance }) => ({
        id: source,
        title,
        text: part,
        relevance,
      }));
      return { confidence, tier, passages: shown };
    },
  };
}

export interface OnCallSources {
  find: ReturnType<typeof getOnCall>;
  /** The names of the schedules that each group pages. */
  listGroups(): Promise<readonly { group: string; schedules: readonly string[] }[]>;
}

/** Finds the people on call at a time, for all schedules or those that a team pages. */
export function createOnCallTool({ find, listGroups }: OnCallSources, { nowMs, caller }: ToolContext): RunnableTool {
  return {
    name: 'on_call',
    description: 'Returns who is on call, for each schedule or for one team.',
    input: z.strictObject({
      team: z.string().max(100).optional().meta({ description: 'Team or schedule, as people write it.' }),
      at: z.string().optional().meta({ description: 'ISO 8601 time. Default: now.' }),
    }),
    run: async (input) => {
      const { team, at = toIso(nowMs) } = input as { team?: string; at?: string };
      const { body } = await find({ query: { at } } as never, { clock: { now: () => nowMs } } as never);
      const entries = body.data.map(({ schedule_name, person, until, next_person }) => ({
        schedule: schedule_name,
        person,
        until,
        next_person,
      }));
      if (team === undefined) return { at, on_call: entries, caller: caller.email };
      const groups = await listGroups();
      const group = findClosest(
        groups.map((each) => each.group),
        team,
      );
      const names = groups.find((each) => each.group === group)?.schedules ?? [];
      const name = findClosest(
        entries.map(({ schedule }) => schedule),
        team,
      );
      const found = entries.filter(({ schedule }) => names.includes(schedule) || schedule === name);
      return found.length > 0
        ? { at, team, on_call: found, caller: caller.email }
        : { at, on_call: entries, caller: caller.email, not_understood: [`no on-call schedule belongs to "${team}"`] };
    },
  };
}

export interface WebhookSources {
  list: Pick<OutboundWebhookList, 'all'>;
  deliveries: Pick<DeliveryStore, 'latest'>;
}

const maxWebhooks = 20;
const maxDeliveries = 50;

/** Undefined for callers who may not read webhooks. */
export function createWebhookTool(
  { list, deliveries }: WebhookSources,
  { nowMs, caller }: ToolContext,
): RunnableTool | undefined {
  if (!hasRole(caller.roles, 'itsm_manager')) return undefined;
  return {
    name: 'list_webhooks',
    description: 'Returns the outbound webhooks with the figures of their latest deliveries and the last error.',
    input: z.strictObject({
      days: z.int().min(1).max(30).optional().meta({ description: 'Deliveries of these days.' }),
    }),
    run: async (input) => {
      const { days } = input as { days?: number };
      const since = days === undefined ? '' : toIso(nowMs - days * dayMs);
      const webhooks = await list.all();
      const shown = webhooks.slice(0, maxWebhooks).map(async (webhook) => {
        const latest = await deliveries.latest(webhook.id, maxDeliveries, nowMs);
        const { webhook_id: id, ...figures } = summarizeDeliveries(
          webhook,
          latest.filter(({ created_at }) => created_at >= since),
        );
        const { name, url, active, events } = webhook.document;
        return { id, name, host: new URL(url).host, active, events, ...figures };
      });
      return { total: webhooks.length, webhooks: await Promise.all(shown), list: '/webhooks/outbound/statistics' };
    },
  };
}
