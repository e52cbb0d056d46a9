import './notifications.css';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../base/api.ts';
import { useLoad, useMore } from '../../base/use-load.ts';
import { ShowMore } from '../../records/tables.tsx';
import { useKnownValues } from '../../resources/known-values.ts';
import { describeNotification, type Notification } from '../../resources/notification-words.ts';
import { SuggestingField } from '../../resources/suggesting-field.tsx';
import { Box, Button, Container, Row, Stack, Status, Toggle, Tokens } from '../../ui/kit/index.ts';
import { PageLayout, Panel } from '../../ui/layouts.tsx';
import { PageLink } from '../../ui/links.tsx';
import { FactsSkeleton } from '../../ui/panels.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { Ago } from '../../ui/text.tsx';
import { useAction } from '../../ui/use-action.ts';
import { NotificationPreferences } from './notification-preferences.tsx';

export function NotificationListPage() {
  const { client } = useApi();
  const [unread, setUnread] = useState(false);
  const queries = useQueryClient();
  const list = useMore<Notification>(['notifications', { unread }], (page, signal) =>
    client.listNotifications({ ...page, ...(unread ? { unread } : {}) }, { signal }),
  );
  const action = useAction();
  const readAll = async () => {
    const until = list.data?.[0]?.created_at;
    await client.readAllNotifications(until === undefined ? {} : { until });
    await queries.invalidateQueries({ queryKey: ['notifications'] });
  };
  return (
    <PageLayout
      title="Notifications"
      description="Notifications for you and the groups you follow in the last 30 days."
      actions={
        <Row>
          <Button icon="settings" onClick={() => document.getElementById('preferences')?.scrollIntoView()}>
            Preferences
          </Button>
          <Button loading={action.busy} onClick={() => action.run(readAll)}>
            Mark all as read
          </Button>
        </Row>
      }
    >
      <Stack>
        {[list.problem, action.problem].map(
          (problem) => problem !== undefined && <ProblemView key="problem" problem={problem} onRetry={list.reload} />,
        )}
        <Container
          header={
            <Toggle checked={unread} onChange={setUnread}>
              Unread only
            </Toggle>
          }
        >
          {!list.data && list.problem === undefined && <FactsSkeleton facts={4} label="Loading notifications" />}
          {list.data?.length === 0 && <Box muted>No notifications.</Box>}
          <ul className="entries" aria-label="Notifications">
            {list.data?.map((notification) => (
              <li key={notification.id}>
                <Entry notification={notification} />
              </li>
            ))}
          </ul>
        </Container>
        <ShowMore list={list} />
        <div id="preferences">
          <NotificationPreferences />
        </div>
        <FollowedGroups />
      </Stack>
    </PageLayout>
  );
}

function Entry({ notification }: { notification: Notification }) {
  const { client } = useApi();
  const queries = useQueryClient();
  const { text, subject, path } = describeNotification(notification);
  const action = useAction();
  const read = async () => {
    await client.readNotification({ id: notification.id });
    await queries.invalidateQueries({ queryKey: ['notifications'] });
  };
  const title = notification.read || notification.done ? text : <strong>{text}</strong>;
  return (
    <div className="notification">
      <div className="wrapping">
        {path ? <PageLink to={path}>{title}</PageLink> : title}
        <Box muted small>
          {subject && `${subject} · `}
          {typeof notification.group === 'string' && `${notification.group} · `}
          <Ago at={notification.created_at} />
        </Box>
        {action.problem !== undefined && <ProblemView problem={action.problem} />}
      </div>
      {notification.done ? (
        <Status type="success">Done</Status>
      ) : notification.read ? (
        <Status type="success" tone="grey">
          Read
        </Status>
      ) : (
        <Button variant="inline" loading={action.busy} onClick={() => action.run(read)}>
          Mark as read
        </Button>
      )}
    </div>
  );
}

/** The groups whose notifications the user receives. */
export function FollowedGroups() {
  useKnownValues();
  const { client } = useApi();
  const queries = useQueryClient();
  const { data, problem, reload } = useLoad(['notifications', 'settings'], (signal) =>
    client.getNotificationSettings({}, { signal }),
  );
  const [group, setGroup] = useState('');
  const action = useAction();
  const groups = data?.groups ?? [];
  const follow = (chosen: readonly string[]) =>
    action.run(async () => {
      await client.updateNotificationSettings({ groups: [...chosen] });
      setGroup('');
      await queries.invalidateQueries({ queryKey: ['notifications'] });
    });
  const button = (
    <Button
      disabled={group.trim() === '' || groups.includes(group.trim()) || !data}
      loading={action.busy}
      onClick={() => follow([...groups, group.trim()])}
    >
      Follow
    </Button>
  );
  return (
    <Panel
      title="Followed groups"
      description="You are also notified about items that concern you or your role, such as approvals."
    >
      <Stack gap="s">
        {problem !== undefined && <ProblemView problem={problem} onRetry={reload} />}
        {action.problem !== undefined && <ProblemView problem={action.problem} />}
        <SuggestingField
          field="assignment_group"
          label="Assignment group"
          value={group}
          onChange={setGroup}
          button={button}
        />
        <Tokens
          items={groups.map((label) => ({ label, dismissLabel: `Unfollow ${label}` }))}
          onDismiss={(next) => follow(groups.filter((_, place) => place !== next))}
        />
      </Stack>
    </Panel>
  );
}
