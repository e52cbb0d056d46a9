import { notificationOperations } from '../../contract/notifications.ts';
import { deployedHiddenRecords } from '../lists/deployed-hidden-records.ts';
import { readNotification } from '../notifications/read-notification.ts';
import { route } from '../platform/http/route.ts';
import { deployedStore } from '../records/deployed-records.ts';

export const handler = route(
  notificationOperations.readNotification,
  readNotification(deployedStore(), deployedHiddenRecords()),
);
