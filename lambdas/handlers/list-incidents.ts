import { routes } from '../../contract/routes.ts';
import { incidentListing } from '../incidents/incident-listing.ts';
import { listIncidents } from '../incidents/list-incidents.ts';
import { feedStore } from '../lists/feed-store.ts';
import { LiveReplica } from '../lists/live-replica.ts';
import { recordReader } from '../lists/record-reader.ts';
import { backoff } from '../platform/backoff.ts';
import { dynamodbClient } from '../platform/clients/dynamodb.ts';
import { clock } from '../platform/clock.ts';
import { env } from '../platform/env.ts';
import { route } from '../platform/http/route.ts';
import { log } from '../platform/log.ts';
import { cursorSeal } from '../records/cursor.ts';

const { RECORDS_TABLE, CURSOR_KEY } = env('RECORDS_TABLE', 'CURSOR_KEY');

export const handler = route(
  routes.listIncidents,
  listIncidents({
    replica: new LiveReplica({
      spec: incidentListing,
      feed: feedStore(dynamodbClient(), RECORDS_TABLE, incidentListing.type),
      loadSnapshot: async () => undefined,
      clock,
      log,
      patienceMs: 20_000,
    }),
    read: recordReader(dynamodbClient(), RECORDS_TABLE, backoff),
    seal: cursorSeal(CURSOR_KEY),
  }),
);
