import type { ListSource } from '../../lists/list-records.ts';
import type { ListingSpec } from '../../lists/listing.ts';
import type { Caller } from '../../platform/caller.ts';
import { calibration } from '../knowledge/calibration.ts';
import type { FindPassages } from '../knowledge/find-passages.ts';
import type { FoundIncident } from '../knowledge/incident-search.ts';
import type { RunnableTool } from '../model/language-model.ts';
import type { Nearest } from '../suggestions/nearest-incidents.ts';
import { createKinds } from './kinds.ts';
import { createNameResolver } from './names.ts';
import {
  createKnowledgeTool,
  createOnCallTool,
  createRecordTool,
  createWebhookTool,
  type OnCallSources,
  type RecordSources,
  type WebhookSources,
} from './record-tools.ts';
import { createSearchTools } from './search-tools.ts';

// The tools of the copilot. They are read-only and show nothing that the caller may not see.

export interface QuerySources extends RecordSources {
  list(spec: ListingSpec): ListSource;
  findPassages: FindPassages;
  nearest: Nearest;
  onCall: OnCallSources;
  webhooks: WebhookSources;
}

export interface QueryTools {
  list(caller: Caller, nowMs: number): Promise<RunnableTool[]>;
  /** Changes with every change of a record. */
  findVersion(): Promise<string>;
}

export function queryTools({ list, findPassages, nearest, onCall, webhooks, ...records }: QuerySources): QueryTools {
  const findSimilar = async (text: string) => listSimilar(await nearest(text, maxSimilar, {}));
  const kinds = createKinds(list, findSimilar);
  const { incidents, configuration_items: items } = kinds;
  return {
    async list(caller, nowMs) {
      const names = createNameResolver(caller.email, incidents, items, Object.values(kinds));
      const context = { nowMs, caller, names };
      const webhookTool = createWebhookTool(webhooks, context);
      return [
        ...(await createSearchTools(kinds, context)),
        createRecordTool(records, context),
        createKnowledgeTool(findPassages),
        createOnCallTool(onCall, context),
        ...(webhookTool ? [webhookTool] : []),
      ];
    },
    async findVersion() {
      const newest = { enums: {}, strings: {}, times: {}, text: undefined, sort: 'updated_at', order: 'desc' } as const;
      const versions = Object.values(kinds).map(async ({ source }) => {
        const { total, rows } = await source.engine.findPage(newest, { skip: 0 }, 1);
        return [total, rows[0]?.value ?? 0];
      });
      return JSON.stringify(await Promise.all(versions));
    },
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
