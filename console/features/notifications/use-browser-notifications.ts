import { useEffect, useRef } from 'react';
import { usePreferences } from '../../base/preferences.ts';
import { navigate } from '../../base/router.ts';
import { describeNotification, type Notification as ServiceNotification } from '../../resources/notification-words.ts';

/** Shows new notifications through the browser while the tab is in the background, if the user wants that. */
export function useBrowserNotifications(latest: readonly ServiceNotification[] | undefined): void {
  const { data } = usePreferences();
  const isWanted = data?.notifications.browser === true;
  const shownUntil = useRef<string>(undefined);
  useEffect(() => {
    if (!latest) return;
    const until = shownUntil.current;
    shownUntil.current = latest[0]?.created_at ?? until ?? '';
    // Those that were there before the page was opened are not news.
    if (until === undefined || !isWanted || !document.hidden || !('Notification' in window)) return;
    if (Notification.permission !== 'granted') return;
    for (const notification of latest.filter(({ created_at, read, done }) => created_at > until && !read && !done)) {
      const { text, subject, path } = describeNotification(notification);
      const shown = new Notification(text, { body: subject, tag: notification.id });
      shown.onclick = () => {
        window.focus();
        navigate(path ?? '/notifications');
      };
    }
  }, [latest, isWanted]);
}
