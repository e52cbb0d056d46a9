import { eventOperations } from '../../contract/events.ts';
import { eventLog } from '../events/event-log.ts';
import { listEvents } from '../events/list-events.ts';
import { deployedHiddenRecords } from '../lists/deployed-hidden-records.ts';
import { dynamodbClient } from '../platform/clients/dynamodb.ts';
import { clock } from '../platform/clock.ts';
import { env } from '../platform/env.ts';
import { route } from '../platform/http/route.ts';
import { itemStore } from '../records/item-store.ts';

const { EVENTS_TABLE } = env('EVENTS_TABLE');
const events = eventLog(itemStore(dynamodbClient(), EVENTS_TABLE), clock);

export const handler = route(eventOperations.listEvents, listEvents(events, deployedHiddenRecords()));
