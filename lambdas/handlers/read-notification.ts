import { routes } from '../../contract/routes.ts';
import { readNotification } from '../notifications/read-notification.ts';
import { route } from '../platform/http/route.ts';
import { deployedStore } from '../records/deployed-records.ts';

export const handler = route(routes.readNotification, readNotification(deployedStore()));
