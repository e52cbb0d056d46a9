import './bell.css';
import { useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import { useApi } from '../base/api.ts';
import { useLoad } from '../base/use-load.ts';
import { useBrowserNotifications } from '../features/notifications/use-browser-notifications.ts';
import { describeNotification, type Notification } from '../resources/notification-words.ts';
import { Box, Button, Icon } from '../ui/kit/index.ts';
import { PopupFrame, usePopup } from '../ui/kit/popup.tsx';
import { PlainLink } from '../ui/plain-link.tsx';
import { Ago } from '../ui/text.tsx';

const polling = { intervalMs: 30_000, maxIntervalMs: 300_000, maxPolls: 240 };

const maxShown = 12;

/** The latest notifications with the number of unread ones. */
export function useLatestNotifications() {
  const { client } = useApi();
  return useLoad(
    ['notifications', 'latest'],
    (signal) => client.listNotifications({ limit: maxShown }, { signal, retries: 0 }),
    { polling },
  );
}

/** A panel with the latest notifications, by record. */
export function Bell() {
  const { client } = useApi();
  const queries = useQueryClient();
  const id = useId();
  const popup = usePopup();
  const { data } = useLatestNotifications();
  useBrowserNotifications(data?.data);
  const { data: latest = [], unread = 0 } = data ?? {};
  const label = unread > 0 ? `Notifications, ${unread} unread` : 'Notifications';
  // The user sees a failure: the number of unread notifications stays.
  const read = (reading: Promise<unknown>) =>
    void reading.then(() => queries.invalidateQueries({ queryKey: ['notifications'] })).catch(() => {});
  const until = latest[0]?.created_at;
  return (
    <>
      <button
        ref={popup.button}
        type="button"
        className="bar-button"
        popoverTarget={id}
        aria-haspopup="dialog"
        aria-expanded={popup.isOpen}
        aria-label={label}
      >
        <Icon name="bell" />
        {unread > 0 && <span className="bar-badge">{unread}</span>}
      </button>
      <PopupFrame id={id} frame={popup.frame} align="end" className="bell" role="dialog" label="Notifications">
        <div className="bell-head">
          <strong>Notifications</strong>
          <Button
            variant="inline"
            disabled={unread === 0}
            onClick={() => read(client.readAllNotifications(until === undefined ? {} : { until }))}
          >
            Mark all as read
          </Button>
        </div>
        {latest.length === 0 && <Box muted>No notifications.</Box>}
        {groupByRecord(latest).map(([record, notifications]) => (
          <section key={record} className="bell-group">
            {notifications.map((notification) => {
              const { text, subject, path = '/notifications' } = describeNotification(notification);
              const isOver = notification.read || notification.done;
              return (
                <PlainLink
                  key={notification.id}
                  to={path}
                  className={isOver ? 'bell-entry' : 'bell-entry unread'}
                  onClick={() => {
                    popup.close();
                    if (!isOver) read(client.readNotification({ id: notification.id }));
                  }}
                >
                  <span className="wrapping">{text}</span>
                  <Ago at={notification.created_at} />
                  {subject && <span className="bell-subject">{subject}</span>}
                </PlainLink>
              );
            })}
          </section>
        ))}
        <PlainLink to="/notifications" className="bell-all" onClick={popup.close}>
          All notifications
        </PlainLink>
      </PopupFrame>
    </>
  );
}

/** The record with the newest notification comes first. */
function groupByRecord(notifications: readonly Notification[]): [string, Notification[]][] {
  const groups = new Map<string, Notification[]>();
  for (const notification of notifications) {
    const record = describeNotification(notification).path ?? notification.id;
    groups.set(record, [...(groups.get(record) ?? []), notification]);
  }
  return [...groups];
}
