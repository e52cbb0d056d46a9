import type { SlaKind } from '../../contract/states.ts';
import { createChangeRules } from '../changes/change.ts';
import { changeListing } from '../changes/change-listing.ts';
import { createIncidentRules } from '../incidents/incident.ts';
import { incidentListing } from '../incidents/incident-listing.ts';
import type { FeedStore } from '../lists/feed-store.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { createRecordChanger } from '../records/change-record.ts';
import { buildPostponeWrite, createDueFinder } from '../records/index-store.ts';
import type { ItemStore } from '../records/item-store.ts';
import type { RecordType } from '../records/record.ts';
import { writeWithRetry } from '../records/write-items.ts';
import { createRequestRules } from '../requests/request.ts';
import { requestListing } from '../requests/request-listing.ts';
import type { SlaMinutes } from '../sla/level-set.ts';
import { createLevels } from '../sla/level-store.ts';
import { slaWork } from '../sla/sla.ts';
import type { SlaTracker, Tracked } from '../sla/track-sla.ts';
import { createRecalculation } from './recalculate.ts';
import { type SweepResult, type SweptKind, sweepSla } from './sweep.ts';

interface SweepOptions {
  store: ItemStore;
  openFeed(type: string): FeedStore;
  minutes: SlaMinutes;
  clock: Clock;
  log: Log;
}

/** The sweep of all kinds of records with an SLA. */
export function createSweep({ store, openFeed, minutes, clock, log }: SweepOptions): () => Promise<SweepResult> {
  const levels = createLevels(store, minutes, clock);
  const toKind = <Document extends Tracked>(rules: {
    resource: RecordType<Document>;
    sla: SlaTracker<Document>;
  }): SweptKind =>
    ({ change: createRecordChanger(store, rules.resource, clock), sla: rules.sla }) as unknown as SweptKind;
  const kinds: Record<SlaKind, SweptKind> = {
    incident: toKind(createIncidentRules(levels)),
    request: toKind(createRequestRules(levels)),
    change: toKind(createChangeRules(levels)),
  };
  const feeds = {
    incident: { feed: openFeed(incidentListing.type), listing: incidentListing },
    request: { feed: openFeed(requestListing.type), listing: requestListing },
    change: { feed: openFeed(changeListing.type), listing: changeListing },
  };
  const due = createDueFinder(store, slaWork);
  const recalculate = createRecalculation({ store, feeds, levels, minutes, clock });
  const postpone = (id: string, nowMs: number) => writeWithRetry(store, [buildPostponeWrite(id, nowMs)]);
  return () => sweepSla({ due, postpone, recalculate, kinds, clock, log });
}
