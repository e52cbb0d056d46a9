import TopNavigation, { type TopNavigationProps } from '@cloudscape-design/components/top-navigation';
import { useQueryClient } from '@tanstack/react-query';
import { useApi } from '../base/api.ts';
import { roleNames, useCallerIfSignedIn } from '../base/caller.tsx';
import { navigate, toHref } from '../base/router.ts';
import { createStore, useStore } from '../base/store.ts';
import { useLoad } from '../base/use-load.ts';
import { useBrowserNotifications } from '../features/notifications/use-browser-notifications.ts';
import icon from '../icon.svg';
import { describeNotification } from '../resources/notification-words.ts';
import { theme, toggleTheme } from './theme.ts';

export function TopBar() {
  const { config } = useApi();
  const account = useAccountMenu();
  const bell = useBell();
  const themeButton = useThemeButton();
  return (
    <header id="top-bar">
      <TopNavigation
        identity={{
          href: toHref('/'),
          title: `Incident Service · ${config.service_instance}`,
          logo: { src: icon, alt: 'Overview' },
          onFollow: (event) => {
            event.preventDefault();
            navigate('/');
          },
        }}
        utilities={[...(account ? [searchButton] : []), themeButton, bell, account].filter(
          (utility) => utility !== undefined,
        )}
      />
    </header>
  );
}

/** Whether the search over everything is open. */
export const paletteOpen = createStore(false);

const searchButton: TopNavigationProps.ButtonUtility = {
  type: 'button',
  iconName: 'search',
  title: 'Search (Ctrl+K)',
  ariaLabel: 'Search everything (Ctrl+K)',
  disableUtilityCollapse: true,
  onClick: () => paletteOpen.set(true),
};

function useThemeButton(): TopNavigationProps.ButtonUtility {
  const dark = useStore(theme) === 'dark';
  const label = dark ? 'Use light theme' : 'Use dark theme';
  return {
    type: 'button',
    iconSvg: dark ? <SunIcon /> : <MoonIcon />,
    title: label,
    ariaLabel: label,
    disableUtilityCollapse: true,
    onClick: toggleTheme,
  };
}

/** The account menu; undefined when signed out. */
export function useAccountMenu(): TopNavigationProps.MenuDropdownUtility | undefined {
  const { session } = useApi();
  const { status } = useStore(session.state);
  const caller = useCallerIfSignedIn();
  if (status === 'signed_out') return undefined;
  const { email, roles = [] } = caller?.data ?? {};
  return {
    type: 'menu-dropdown',
    text: email ?? 'Account',
    description: roles.map((role) => roleNames[role]).join(', '),
    ariaLabel: email ? `Account: ${email}` : 'Account',
    iconName: 'user-profile',
    disableUtilityCollapse: true,
    items: [
      { id: 'profile', text: 'Profile and API keys' },
      { id: 'sign-out', text: 'Sign out' },
    ],
    onItemClick: ({ detail }) => {
      if (detail.id === 'profile') navigate('/profile');
      if (detail.id === 'sign-out') session.signOut();
    },
  };
}

const polling = { intervalMs: 30_000, maxIntervalMs: 300_000, maxPolls: 240 };

const maxShown = 8;

/** The latest notifications with the number of unread ones; undefined when signed out. */
export function useBell(): TopNavigationProps.MenuDropdownUtility | undefined {
  const { session, client } = useApi();
  const { status } = useStore(session.state);
  const queries = useQueryClient();
  const { data } = useLoad(
    ['notifications', 'latest'],
    (signal) => client.listNotifications({ limit: maxShown }, { signal, retries: 0 }),
    { polling, enabled: status === 'signed_in' },
  );
  useBrowserNotifications(data?.data, status === 'signed_in');
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
        const { text, subject } = describeNotification(notification);
        const isOver = notification.read || notification.done;
        const iconName = isOver ? ('check' as const) : ('status-info' as const);
        return { id: notification.id, text: subject ? `${text}: ${subject}` : text, iconName };
      }),
      { id: 'all', text: 'All notifications' },
      { id: 'read', text: 'Mark all as read', disabled: unread === 0 },
    ],
    onItemClick: ({ detail: { id } }) => {
      const chosen = latest.find((notification) => notification.id === id);
      if (chosen) navigate(describeNotification(chosen).path ?? '/notifications');
      if (id === 'all') navigate('/notifications');
      const until = latest[0]?.created_at;
      const reading = chosen
        ? client.readNotification({ id })
        : id === 'read' && client.readAllNotifications(until === undefined ? {} : { until });
      // The user sees a failure: the number of unread notifications stays.
      if (reading)
        reading.then(
          () => queries.invalidateQueries({ queryKey: ['notifications'] }),
          () => undefined,
        );
    },
  };
}

export function SunIcon() {
  return (
    <svg viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <circle cx="8" cy="8" r="3" />
      <path d="M8 1v1.6M8 13.4V15M1 8h1.6M13.4 8H15M3 3l1.2 1.2M11.8 11.8 13 13M3 13l1.2-1.2M11.8 4.2 13 3" />
    </svg>
  );
}

export function MoonIcon() {
  return (
    <svg viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d="M13.5 9.6A6 6 0 0 1 6.4 2.5a6 6 0 1 0 7.1 7.1Z" />
    </svg>
  );
}
