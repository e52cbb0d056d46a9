import { notificationOperations } from '../../contract/notifications.ts';
import { createHiddenRecordFinder } from '../lists/record-store.ts';
import { route } from '../platform/http/route.ts';
import { createCursorSeal, createRecordStore } from '../records/wiring.ts';
import * as notifications from './inbox.ts';

export const listNotifications = () =>
  route(
    notificationOperations.listNotifications,
    notifications.listNotifications(createRecordStore(), createCursorSeal(), createHiddenRecordFinder()),
  );

export const readNotification = () =>
  route(
    notificationOperations.readNotification,
    notifications.readNotification(createRecordStore(), createHiddenRecordFinder()),
  );

export const readAllNotifications = () =>
  route(notificationOperations.readAllNotifications, notifications.readAllNotifications(createRecordStore()));

export const getNotificationSettings = () =>
  route(notificationOperations.getNotificationSettings, notifications.getNotificationSettings(createRecordStore()));

export const updateNotificationSettings = () =>
  route(
    notificationOperations.updateNotificationSettings,
    notifications.updateNotificationSettings(createRecordStore()),
  );
