import * as z from 'zod';
import { changeListing, plannedBounds } from '../../changes/change-listing.ts';
import { ciListing } from '../../cmdb/ci-listing.ts';
import { incidentListing } from '../../incidents/incident-listing.ts';
import type { ListSource } from '../../lists/list-records.ts';
import type { ListingSpec } from '../../lists/listing.ts';
import type { ReadRecords } from '../../lists/record-store.ts';
import { notFound } from '../../records/find-record.ts';
import type { FindPassages } from '../knowledge/find-passages.ts';
import type { RunnableTool } from '../model/tool-loop.ts';
import { type Searchable, searchTools } from './search-tool.ts';

// What the copilot may look at. Every tool only reads, and nothing that a viewer may not see.

export interface QuerySources {
  list(spec: ListingSpec): ListSource;
  read: ReadRecords;
  findPassages: FindPassages;
}

export function queryTools({ list, read, findPassages }: QuerySources): () => Promise<RunnableTool[]> {
  const kinds: readonly Searchable[] = [
    {
      spec: incidentListing,
      source: list(incidentListing),
      plural: 'incidents',
      filters: ['assignment_group', 'assigned_to', 'category'],
      shown: ['short_description', 'state', 'priority', 'assignment_group', 'assigned_to', 'category', 'resolved_at'],
    },
    {
      spec: changeListing,
      source: list(changeListing),
      plural: 'changes',
      filters: ['assignment_group', 'requested_by'],
      shown: ['short_description', 'state', 'risk', 'type', 'planned_start', 'planned_end', 'assignment_group'],
      bounds: plannedBounds,
    },
    {
      spec: ciListing,
      source: list(ciListing),
      plural: 'configuration_items',
      filters: ['name', 'class', 'environment', 'location'],
      shown: ['name', 'class', 'status', 'environment', 'owner', 'location'],
    },
  ];
  return async () => [
    ...(await Promise.all(kinds.map(searchTools))).flat(),
    recordTool(read),
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

const mostPassages = 4;

function knowledgeTool(findPassages: FindPassages): RunnableTool {
  return {
    name: 'search_knowledge',
    description: 'Finds passages of the knowledge base that answer how something is done or what something means.',
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
