import { routes } from '../../contract/routes.ts';
import { listNotifications } from '../notifications/list-notifications.ts';
import { dynamodbClient } from '../platform/clients/dynamodb.ts';
import { env } from '../platform/env.ts';
import { route } from '../platform/http/route.ts';
import { cursorSeal } from '../records/cursor.ts';
import { itemStore } from '../records/item-store.ts';

const { RECORDS_TABLE, CURSOR_KEY } = env('RECORDS_TABLE', 'CURSOR_KEY');
const store = itemStore(dynamodbClient(), RECORDS_TABLE);

export const handler = route(routes.listNotifications, listNotifications(store, cursorSeal(CURSOR_KEY)));
