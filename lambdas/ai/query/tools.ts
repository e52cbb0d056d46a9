import * as z from 'zod';
import { changeListing, plannedBounds } from '../../changes/change.ts';
import { ciListing } from '../../cmdb/ci-listing.ts';
import { type IncidentDocument, incidentListing, openStates } from '../../incidents/incident.ts';
import type { ListSource } from '../../lists/list-records.ts';
import type { ListingSpec } from '../../lists/listing.ts';
import type { ReadRecords } from '../../lists/record-store.ts';
import { notFound } from '../../records/find-record.ts';
import type { OpenIncidentIds } from '../../records/index-store.ts';
import type { FindPassages } from '../knowledge/find-passages.ts';
import type { RunnableTool } from '../model/tool-loop.ts';
import { type Searchable, searchTools, summaryOf } from './search-tool.ts';

// What the copilot may look at. Every tool only reads, and nothing that a viewer may not see.

export interface QuerySources {
  list(spec: ListingSpec): ListSource;
  read: ReadRecords;
  findPassages: FindPassages;
  openIncidentIds: OpenIncidentIds;
}

export function queryTools({ list, read, findPassages, openIncidentIds }: QuerySources): () => Promise<RunnableTool[]> {
  const kinds: readonly Searchable[] = [
    {
      spec: incidentListing,
      source: list(incidentListing),
      plural: 'incidents',
      also: 'tickets, outages',
      filters: ['assignment_group', 'assigned_to', 'category'],
      shown: ['short_description', 'state', 'priority', 'assignment_group', 'assigned_to', 'category', 'resolved_at'],
    },
    {
      spec: changeListing,
      source: list(changeListing),
      plural: 'changes',
      also: 'maintenance, releases',
      filters: ['assignment_group', 'assigned_to', 'requested_by'],
      shown: ['short_description', 'state', 'risk', 'type', 'planned_start', 'planned_end', 'assignment_group'],
      bounds: plannedBounds,
    },
    {
      spec: ciListing,
      source: list(ciListing),
      plural: 'configuration_items',
      also: 'assets, machines, devices',
      filters: ['name', 'class', 'environment', 'owner', 'location'],
      shown: ['name', 'class', 'status', 'environment', 'owner', 'location'],
    },
  ];
  return async () => [
    ...(await Promise.all(kinds.map(searchTools))).flat(),
    recordTool(read),
    openIncidentsTool(openIncidentIds, read),
    knowledgeTool(findPassages),
  ];
}

const recordId = z
  .string()
  .regex(/^(INC|CHG|CI)\w{1,18}$/)
  .meta({ description: 'The id of an incident (INC…), a change (CHG…) or a configuration item (CI…).' });

function recordTool(read: ReadRecords): RunnableTool {
  return {
    name: 'get_record',
    description: 'Gives one record with all of its fields.',
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

const mostOpen = 20;

function openIncidentsTool(openIncidentIds: OpenIncidentIds, read: ReadRecords): RunnableTool {
  return {
    name: 'list_open_incidents',
    description: 'Lists the open incidents of one configuration item, newest first.',
    input: z.strictObject({
      ci_id: z
        .string()
        .regex(/^CI\d{7}$/)
        .meta({ description: 'The id of the item.' }),
    }),
    run: async (input) => {
      const { ci_id } = input as { ci_id: string };
      const ids = await openIncidentIds(ci_id, mostOpen);
      const found = ids.length > 0 ? await read<IncidentDocument>(ids) : [];
      // The index follows the table a moment later, so each is looked at once more.
      const open = found.filter(
        ({ record: { document } }) => document.ci_id === ci_id && openStates.includes(document.state),
      );
      const records = open.map(({ record }) => summaryOf(record, ['short_description', 'state', 'priority']));
      return { total: records.length, records };
    },
  };
}

const mostPassages = 4;

function knowledgeTool(findPassages: FindPassages): RunnableTool {
  return {
    name: 'search_knowledge',
    description:
      'Finds passages of the articles of the knowledge base that answer how something is done or what something means.',
    input: z.strictObject({
      text: z.string().min(1).max(1_000).meta({ description: 'What to look for, as a question.' }),
    }),
    run: async (input) => {
      const { passages } = await findPassages((input as { text: string }).text, mostPassages);
      return {
        passages: passages.map(({ source, title, text, relevance }) => ({ id: source, title, text, relevance })),
      };
    },
  };
}
