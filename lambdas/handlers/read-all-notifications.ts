import { routes } from '../../contract/routes.ts';
import { readAllNotifications } from '../notifications/read-all-notifications.ts';
import { route } from '../platform/http/route.ts';
import { deployedStore } from '../records/deployed-records.ts';

export const handler = route(routes.readAllNotifications, readAllNotifications(deployedStore()));
