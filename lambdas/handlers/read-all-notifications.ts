import { notificationOperations } from '../../contract/notifications.ts';
import { readAllNotifications } from '../notifications/read-all-notifications.ts';
import { route } from '../platform/http/route.ts';
import { deployedStore } from '../records/deployed-records.ts';

export const handler = route(notificationOperations.readAllNotifications, readAllNotifications(deployedStore()));
