import Icon, { type IconProps } from '@cloudscape-design/components/icon';
import { Mode } from '@cloudscape-design/global-styles';
import { useQueryClient } from '@tanstack/react-query';
import { useApi } from '../base/api.ts';
import { roleNames, useCallerIfSignedIn } from '../base/caller.tsx';
import { navigate } from '../base/router.ts';
import { createStore, useStore } from '../base/store.ts';
import { useLoad } from '../base/use-load.ts';
import { useBrowserNotifications } from '../features/notifications/use-browser-notifications.ts';
import icon from '../icon.svg';
import { describeNotification } from '../resources/notification-words.ts';
import { PlainLink } from '../ui/plain-link.tsx';
import { Menu } from './menu.tsx';
import { theme, toggleTheme } from './theme.ts';

export function TopBar() {
  const { config, session } = useApi();
  const isSignedIn = useStore(session.state).status === 'signed_in';
  const isDark = useStore(theme) === Mode.Dark;
  return (
    <header id="top-bar">
      <PlainLink to="/" className="brand">
        <img src={icon} alt="Overview" width={24} height={24} />
        <span>Incident Service · {config.service_instance}</span>
      </PlainLink>
      {isSignedIn && (
        <BarButton
          name="search"
          text="Search (Ctrl+K)"
          label="Search everything (Ctrl+K)"
          onClick={() => paletteOpen.set(true)}
        />
      )}
      <BarButton
        svg={isDark ? sun : moon}
        text={isDark ? 'Use light theme' : 'Use dark theme'}
        label={isDark ? 'Use light theme' : 'Use dark theme'}
        onClick={toggleTheme}
      />
      {isSignedIn && <Bell />}
      {isSignedIn && <AccountMenu />}
    </header>
  );
}

interface BarButtonProps {
  name?: IconProps.Name;
  svg?: IconProps['svg'];
  text: string;
  label: string;
  onClick(): void;
}

function BarButton({ name, svg, text, label, onClick }: BarButtonProps) {
  return (
    <button type="button" className="bar-button" aria-label={label} title={label} onClick={onClick}>
      <Icon {...(name ? { name } : {})} svg={svg} />
      <span className="bar-text">{text}</span>
    </button>
  );
}

/** Whether the search over everything is open. */
export const paletteOpen = createStore(false);

function AccountMenu() {
  const { session } = useApi();
  const { email, roles = [] } = useCallerIfSignedIn()?.data ?? {};
  return (
    <Menu
      label={email ? `Account: ${email}` : 'Account'}
      description={roles.map((role) => roleNames[role]).join(', ')}
      items={[
        { id: 'profile', text: 'Profile and API keys' },
        { id: 'sign-out', text: 'Sign out' },
      ]}
      onChoose={(id) => (id === 'profile' ? navigate('/profile') : void session.signOut())}
    >
      <Icon name="user-profile" />
      <span className="bar-text">{email ?? 'Account'}</span>
    </Menu>
  );
}

const polling = { intervalMs: 30_000, maxIntervalMs: 300_000, maxPolls: 240 };

const maxShown = 8;

/** The latest notifications with the number of unread ones. */
function Bell() {
  const { client } = useApi();
  const queries = useQueryClient();
  const { data } = useLoad(
    ['notifications', 'latest'],
    (signal) => client.listNotifications({ limit: maxShown }, { signal, retries: 0 }),
    { polling },
  );
  useBrowserNotifications(data?.data);
  const { data: latest = [], unread = 0 } = data ?? {};
  const choose = (id: string) => {
    const chosen = latest.find((notification) => notification.id === id);
    if (chosen) navigate(describeNotification(chosen).path ?? '/notifications');
    if (id === 'all') navigate('/notifications');
    const until = latest[0]?.created_at;
    const reading = chosen
      ? client.readNotification({ id })
      : id === 'read' && client.readAllNotifications(until === undefined ? {} : { until });
    // The user sees a failure: the number of unread notifications stays.
    if (reading) reading.then(() => queries.invalidateQueries({ queryKey: ['notifications'] })).catch(() => {});
  };
  return (
    <Menu
      label={unread > 0 ? `Notifications, ${unread} unread` : 'Notifications'}
      items={[
        ...latest.map((notification) => {
          const { text, subject } = describeNotification(notification);
          const isOver = notification.read || notification.done;
          return { id: notification.id, text: `${isOver ? '✓' : '•'} ${text}${subject ? `: ${subject}` : ''}` };
        }),
        { id: 'all', text: 'All notifications' },
        { id: 'read', text: 'Mark all as read', disabled: unread === 0 },
      ]}
      onChoose={choose}
    >
      <Icon name="notification" />
      {unread > 0 && <span className="bar-badge">{unread}</span>}
    </Menu>
  );
}

const sun = (
  <svg viewBox="0 0 16 16" aria-hidden="true" focusable="false">
    <circle cx="8" cy="8" r="3" />
    <path d="M8 1v1.6M8 13.4V15M1 8h1.6M13.4 8H15M3 3l1.2 1.2M11.8 11.8 13 13M3 13l1.2-1.2M11.8 4.2 13 3" />
  </svg>
);

const moon = (
  <svg viewBox="0 0 16 16" aria-hidden="true" focusable="false">
    <path d="M13.5 9.6A6 6 0 0 1 6.4 2.5a6 6 0 1 0 7.1 7.1Z" />
  </svg>
);
