import { notificationOperations } from '../../contract/notifications.ts';
import { createHiddenRecordFinder } from '../lists/record-store.ts';
import { route } from '../platform/http/route.ts';
import { createCursorSeal, createRecordStore } from '../records/wiring.ts';
import { listNotifications as listNotificationsUseCase } from './list-notifications.ts';
import * as settings from './notification-settings.ts';
import { readAllNotifications as readAllNotificationsUseCase } from './read-all-notifications.ts';
import { readNotification as readNotificationUseCase } from './read-notification.ts';

export const listNotifications = () =>
  route(
    notificationOperations.listNotifications,
    listNotificationsUseCase(createRecordStore(), createCursorSeal(), createHiddenRecordFinder()),
  );

export const readNotification = () =>
  route(
    notificationOperations.readNotification,
    readNotificationUseCase(createRecordStore(), createHiddenRecordFinder()),
  );

export const readAllNotifications = () =>
  route(notificationOperations.readAllNotifications, readAllNotificationsUseCase(createRecordStore()));

export const getNotificationSettings = () =>
  route(notificationOperations.getNotificationSettings, settings.getNotificationSettings(createRecordStore()));

export const updateNotificationSettings = () =>
  route(notificationOperations.updateNotificationSettings, settings.updateNotificationSettings(createRecordStore()));
