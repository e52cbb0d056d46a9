import { notificationOperations } from '../../contract/notifications.ts';
import { updateNotificationSettings } from '../notifications/notification-settings.ts';
import { route } from '../platform/http/route.ts';
import { deployedStore } from '../records/deployed-records.ts';

export const handler = route(
  notificationOperations.updateNotificationSettings,
  updateNotificationSettings(deployedStore()),
);
