import type { TopNavigationProps } from '@cloudscape-design/components/top-navigation';
import { useCallback } from 'react';
import { useApi } from '../api.ts';
import { navigate } from '../location.ts';
import { noteReading, readings, wordsOf } from '../pages/notifications/notification-words.ts';
import { usePolling } from '../use-load.ts';
import { useStore } from '../use-store.ts';

const polling = { intervalMs: 30_000, maxIntervalMs: 300_000, maxPolls: 240 };

const shown = 8;

/** The latest notifications, with the number of those that are new; nothing when nobody is signed in. */
export function useBell(): TopNavigationProps.MenuDropdownUtility | undefined {
  const { session, client } = useApi();
  const { status } = useStore(session.state);
  const done = useStore(readings);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was read changes the number.
  const load = useCallback(
    async (signal: AbortSignal) =>
      status === 'signed_out' ? undefined : client.listNotifications({ limit: shown }, { signal, retries: 0 }),
    [client, status, done],
  );
  const { data } = usePolling(load, polling);
  if (status === 'signed_out') return undefined;
  const { data: latest = [], unread = 0 } = data ?? {};
  return {
    type: 'menu-dropdown',
    iconName: 'notification',
    badge: unread > 0,
    ...(unread > 0 ? { text: String(unread) } : {}),
    title: 'Notifications',
    ariaLabel: unread > 0 ? `Notifications, ${unread} unread` : 'Notifications',
    disableUtilityCollapse: true,
    items: [
      ...latest.map((notification) => {
        const { text, subject } = wordsOf(notification);
        const mark = notification.read ? {} : { iconName: 'status-info' as const };
        return { id: notification.id, text: subject ? `${text}: ${subject}` : text, ...mark };
      }),
      { id: 'all', text: 'All notifications' },
      { id: 'read', text: 'Mark all as read', disabled: unread === 0 },
    ],
    onItemClick: ({ detail: { id } }) => {
      const chosen = latest.find((notification) => notification.id === id);
      if (chosen) navigate(wordsOf(chosen).path ?? '/notifications');
      if (id === 'all') navigate('/notifications');
      const reading = chosen
        ? client.readNotification({ id })
        : id === 'read' && client.readAllNotifications({ until: latest[0]!.created_at });
      // A mark that could not be set is seen as such: the number stays.
      if (reading) reading.then(noteReading, () => undefined);
    },
  };
}
