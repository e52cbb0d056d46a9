import { routes } from '../../contract/routes.ts';
import { listNotifications } from '../notifications/list-notifications.ts';
import { route } from '../platform/http/route.ts';
import { deployedSeal, deployedStore } from '../records/deployed-records.ts';

export const handler = route(routes.listNotifications, listNotifications(deployedStore(), deployedSeal()));
