import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import ContentLayout from '@cloudscape-design/components/content-layout';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import Toggle from '@cloudscape-design/components/toggle';
import { useCallback, useState } from 'react';
import { useApi } from '../../api.ts';
import { FactsSkeleton } from '../../components/facts-skeleton.tsx';
import { Ago } from '../../components/moment.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { ProblemView } from '../../components/problem-view.tsx';
import { useAction } from '../../use-action.ts';
import { useStore } from '../../use-store.ts';
import { ShowMore } from '../webhooks/parts/show-more.tsx';
import { useMore } from '../webhooks/parts/use-more.ts';
import { FollowedGroups } from './followed-groups.tsx';
import { type Notification, noteReading, readings, wordsOf } from './notification-words.ts';

export function NotificationListPage() {
  const { client } = useApi();
  const [unread, setUnread] = useState(false);
  const done = useStore(readings);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was read changes the list.
  const load = useCallback(
    (page: { limit: number; cursor?: string }, signal: AbortSignal) =>
      client.listNotifications({ ...page, ...(unread ? { unread } : {}) }, { signal }),
    [client, unread, done],
  );
  const list = useMore<Notification>(load);
  const action = useAction();
  const readAll = async () => {
    const until = list.data?.[0]?.created_at;
    await client.readAllNotifications(until === undefined ? {} : { until });
    noteReading();
  };
  return (
    <ContentLayout
      header={
        <Header
          variant="h1"
          description="Notifications for you and the groups you follow in the last 30 days."
          actions={
            <Button loading={action.busy} onClick={() => action.run(readAll)}>
              Mark all as read
            </Button>
          }
        >
          Notifications
        </Header>
      }
    >
      <SpaceBetween size="l">
        {[list.problem, action.problem].map(
          (problem) => problem !== undefined && <ProblemView key="problem" problem={problem} onRetry={list.reload} />,
        )}
        <Container
          header={
            <Toggle checked={unread} onChange={({ detail }) => setUnread(detail.checked)}>
              Unread only
            </Toggle>
          }
        >
          {!list.data && list.problem === undefined && <FactsSkeleton facts={4} label="Loading notifications" />}
          {list.data?.length === 0 && <Box color="text-body-secondary">No notifications.</Box>}
          <ul className="entries" aria-label="Notifications">
            {list.data?.map((notification) => (
              <li key={notification.id}>
                <Entry notification={notification} />
              </li>
            ))}
          </ul>
        </Container>
        <ShowMore list={list} />
        <FollowedGroups />
      </SpaceBetween>
    </ContentLayout>
  );
}

function Entry({ notification }: { notification: Notification }) {
  const { client } = useApi();
  const { text, subject, path } = wordsOf(notification);
  const action = useAction();
  const read = async () => {
    await client.readNotification({ id: notification.id });
    noteReading();
  };
  const title = notification.read ? text : <strong>{text}</strong>;
  return (
    <div className="notification">
      <div className="wrapping">
        {path ? <PageLink to={path}>{title}</PageLink> : title}
        <Box color="text-body-secondary" fontSize="body-s">
          {subject && `${subject} · `}
          {typeof notification.group === 'string' && `${notification.group} · `}
          <Ago at={notification.created_at} />
        </Box>
        {action.problem !== undefined && <ProblemView problem={action.problem} />}
      </div>
      {notification.read ? (
        <StatusIndicator type="success" colorOverride="grey">
          Read
        </StatusIndicator>
      ) : (
        <Button variant="inline-link" loading={action.busy} onClick={() => action.run(read)}>
          Mark as read
        </Button>
      )}
    </div>
  );
}
