import { notificationOperations } from '../../contract/notifications.ts';
import { deployedHiddenRecords } from '../lists/deployed-hidden-records.ts';
import { listNotifications } from '../notifications/list-notifications.ts';
import { route } from '../platform/http/route.ts';
import { deployedSeal, deployedStore } from '../records/deployed-records.ts';

export const handler = route(
  notificationOperations.listNotifications,
  listNotifications(deployedStore(), deployedSeal(), deployedHiddenRecords()),
);
