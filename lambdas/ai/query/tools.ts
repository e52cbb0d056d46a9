import * as z from 'zod';
import { changeSorts } from '../../../contract/changes.ts';
import { idFormats } from '../../../contract/ids.ts';
import { incidentSorts } from '../../../contract/incidents.ts';
import { requestSorts } from '../../../contract/requests.ts';
import { openIncidentStates } from '../../../contract/states.ts';
import { changeListing, plannedBounds } from '../../changes/change.ts';
import { ciListing } from '../../cmdb/ci.ts';
import { refineCiQuery } from '../../cmdb/ci-graph.ts';
import { incidentListing } from '../../incidents/incident.ts';
import { incidentBounds, refineIncidentQuery } from '../../incidents/incident-query.ts';
import type { ListSource } from '../../lists/list-records.ts';
import type { ListingSpec } from '../../lists/listing.ts';
import type { ReadRecords } from '../../lists/record-store.ts';
import { toIso } from '../../platform/clock.ts';
import { notFound } from '../../records/change-record.ts';
import { requestListing } from '../../requests/request.ts';
import { calibration } from '../knowledge/calibration.ts';
import type { FindPassages } from '../knowledge/find-passages.ts';
import type { FoundIncident } from '../knowledge/incident-search.ts';
import type { RunnableTool } from '../model/language-model.ts';
import type { Nearest } from '../suggestions/nearest-incidents.ts';
import { createNameResolver } from './names.ts';
import { type ExtraFilter, type Searchable, type ToolContext, toUnknown } from './resolve-filters.ts';
import { searchTools } from './search-tool.ts';

// The tools of the copilot. They are read-only and show nothing that a viewer may not see.

export interface QuerySources {
  list(spec: ListingSpec): ListSource;
  read: ReadRecords;
  findPassages: FindPassages;
  nearest: Nearest;
}

export type QueryTools = (callerEmail: string, nowMs: number) => Promise<RunnableTool[]>;

export function queryTools({ list, read, findPassages, nearest }: QuerySources): QueryTools {
  const incidents: Searchable = {
    spec: incidentListing,
    source: list(incidentListing),
    plural: 'incidents',
    synonyms: 'tickets, outages',
    path: '/incidents',
    filters: ['assignment_group', 'assigned_to', 'category'],
    people: ['assigned_to'],
    sorts: incidentSorts,
    shown: ['short_description', 'state', 'priority', 'assignment_group', 'assigned_to', 'category', 'sla_breach_at'],
    bounds: incidentBounds,
    refine: refineIncidentQuery,
    openStates: openIncidentStates,
    findSimilar: async (text) => listSimilar(await nearest(text, maxSimilar, {})),
    extra: { sla, sla_due_within_minutes: slaDue, ci: aboutItem('ci_id'), opened_by: openedBy },
  };
  const changes: Searchable = {
    spec: changeListing,
    source: list(changeListing),
    plural: 'changes',
    synonyms: 'maintenance, releases',
    path: '/changes',
    filters: ['assignment_group', 'assigned_to', 'requested_by'],
    people: ['assigned_to', 'requested_by'],
    sorts: changeSorts,
    shown: [
      'short_description',
      'state',
      'risk',
      'type',
      'planned_start',
      'planned_end',
      'assignment_group',
      'assigned_to',
      'decision_by',
    ],
    bounds: plannedBounds,
    extra: { ci: aboutItem('ci_ids') },
  };
  const requests: Searchable = {
    spec: requestListing,
    source: list(requestListing),
    plural: 'requests',
    synonyms: 'service requests, orders',
    path: '/requests',
    filters: ['item', 'requested_for', 'requested_by'],
    people: ['requested_for', 'requested_by'],
    sorts: requestSorts,
    shown: ['short_description', 'state', 'item', 'requested_for', 'requested_by'],
  };
  const items: Searchable = {
    spec: ciListing,
    source: list(ciListing),
    plural: 'configuration_items',
    synonyms: 'CIs, assets, machines, servers, systems',
    path: '/cmdb/cis',
    filters: ['name', 'class', 'environment', 'owner', 'location'],
    people: [],
    sorts: ['created_at', 'updated_at'],
    shown: ['name', 'class', 'status', 'environment', 'owner', 'location'],
    refine: refineCiQuery,
    extra: {
      depends_on: itemFilter('depends_on', 'Only items that depend on this item (name or id).', 'id'),
      needed_by: itemFilter('needed_by', 'Only items that this item depends on (name or id).', 'id'),
    },
  };
  const kinds = [incidents, changes, requests, items];
  return async (callerEmail, nowMs) => {
    const context: ToolContext = { nowMs, names: createNameResolver(callerEmail, incidents, items, kinds) };
    const tools = await Promise.all(kinds.map((kind) => searchTools(kind, context)));
    return [...tools.flat(), recordTool(read), knowledgeTool(findPassages)];
  };
}

const maxSimilar = 50;

/** The minimum similarity as a share of the best one. */
const minSimilarShare = 0.75;

function listSimilar(found: readonly FoundIncident[]): string[] {
  const best = Math.max(0, ...found.map(({ cosine }) => cosine));
  const minCosine = Math.max(calibration.similarity.vote, minSimilarShare * best);
  return found.filter(({ cosine }) => cosine >= minCosine).map(({ id }) => id);
}

/**
 * Filters by a configuration item. If several items match its description, the parameter `candidates` gets their ids. If
 * none matches, the name is searched for in texts.
 */
function itemFilter(parameter: string, description: string, candidates = parameter): ExtraFilter {
  return {
    schema: text(description),
    async apply(value, { names }) {
      const name = String(value);
      const { isSure, items } = await names.items(name);
      const ids = items.map(({ id }) => id);
      if (isSure) return { parameters: { [parameter]: ids } };
      const unknown = toUnknown('configuration item', name, candidates === parameter);
      if (ids.length === 0) return { parameters: candidates === parameter ? {} : { id: [] }, ...unknown };
      const choices = items.slice(0, maxNamed).map((item) => item.name);
      const reason = `no configuration item is called "${name}"; it could be ${choices.join(', ')}`;
      return { parameters: { [candidates]: ids }, reason };
    },
  };
}

const maxNamed = 5;

const aboutItem = (parameter: string) =>
  itemFilter(parameter, 'Only records about this configuration item (name or id).');

function text(description: string): z.ZodType {
  return z.string().max(254).optional().meta({ description });
}

const sla: ExtraFilter = {
  schema: z
    .enum(['breached', 'at_risk', 'ok'])
    .optional()
    .meta({ description: 'SLA status: breached (overdue), at_risk (warning sent) or ok.' }),
  apply: async (value) => ({ parameters: { sla: [value === 'ok' ? 'on_track' : String(value)] } }),
};

const slaDue: ExtraFilter = {
  schema: z
    .int()
    .min(1)
    .max(100_000)
    .optional()
    .meta({ description: 'Only incidents that breach their SLA within this number of minutes.' }),
  apply: async (value, { nowMs }) => ({
    parameters: { sla_breach_after: toIso(nowMs), sla_breach_before: toIso(nowMs + Number(value) * 60_000) },
  }),
};

/** Reporters are not indexed. A name is resolved to an address in another field, or must be an address itself. */
const openedBy: ExtraFilter = {
  schema: text('Only incidents that this person reported. `me` is the caller.'),
  async apply(value, { names }) {
    const name = String(value);
    const found = (await names.person(name)) ?? (name.includes('@') ? name : undefined);
    return found === undefined ? { reason: `no reporter is called "${name}"` } : { parameters: { opened_by: [found] } };
  },
};

const [inc, chg, req, ci] = (['incident', 'change', 'request', 'ci'] as const).map((kind) => idFormats[kind].prefix);

const recordId = z
  .string()
  .regex(new RegExp(`^(${inc}|${chg}|${req}|${ci})\\w{1,18}$`))
  .meta({
    description: `The id of an incident (${inc}…), change (${chg}…), request (${req}…) or configuration item (${ci}…).`,
  });

function recordTool(read: ReadRecords): RunnableTool {
  return {
    name: 'get_record',
    description: 'Returns one record with all fields.',
    input: z.strictObject({ id: recordId }),
    run: async (input) => {
      const { id } = input as { id: string };
      const [found] = await read<Readonly<Record<string, unknown>>>([id]);
      if (!found) throw notFound(id);
      const { sla: _, ...fields } = found.record.document;
      return { id, ...fields, created_at: found.record.created_at };
    },
  };
}

const maxPassages = 4;

function knowledgeTool(findPassages: FindPassages): RunnableTool {
  return {
    name: 'search_knowledge',
    description:
      'Searches knowledge articles for passages that explain how to do something or what something means. Passages with the ' +
      'tier `middle` may not answer the question.',
    input: z.strictObject({
      text: z.string().min(1).max(1_000).meta({ description: 'The question to search for.' }),
      min_confidence: z.number().min(0).max(1).optional().meta({ description: 'Minimum confidence of the passages.' }),
    }),
    run: async (input) => {
      const { text, min_confidence = 0 } = input as { text: string; min_confidence?: number };
      const { passages, confidence, tier } = await findPassages(text, maxPassages);
      const shown = tier === 'low' || confidence < min_confidence ? [] : passages;
      return {
        confidence,
        tier,
        passages: shown.map(({ source, title, text: part, relevance }) => ({
          id: source,
          title,
          text: part,
          relevance,
        })),
      };
    },
  };
}
