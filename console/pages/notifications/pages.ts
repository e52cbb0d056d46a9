import type { Page } from '../page.ts';
import { NotificationListPage } from './notification-list-page.tsx';

export const notificationPages: readonly Page[] = [
  { path: '/notifications', title: 'Notifications', section: 'Service desk', Content: NotificationListPage },
];
