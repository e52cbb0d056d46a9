import type { ReactNode } from 'react';
import { useApi } from '../base/api.ts';
import { roleNames, useCallerIfSignedIn } from '../base/caller.tsx';
import { navigate } from '../base/router.ts';
import { createStore, useStore } from '../base/store.ts';
import { Icon, type IconName, Menu } from '../ui/kit/index.ts';
import { Bell } from './bell.tsx';
import { theme, toggleTheme } from './theme.ts';

/** Whether the search over everything is open. */
export const paletteOpen = createStore(false);

export function TopBar({ children }: { children?: ReactNode }) {
  const isSignedIn = useStore(useApi().session.state).status === 'signed_in';
  const isDark = useStore(theme) === 'dark';
  return (
    <header className="top-bar">
      <div className="top-bar-start">{children}</div>
      {isSignedIn && (
        <BarButton icon="search" label="Search everything (Ctrl+K)" onClick={() => paletteOpen.set(true)}>
          <span className="bar-text" data-keys="Ctrl K">
            Search
          </span>
        </BarButton>
      )}
      <BarButton
        icon={isDark ? 'sun' : 'moon'}
        label={isDark ? 'Use light theme' : 'Use dark theme'}
        onClick={toggleTheme}
      />
      {isSignedIn && <Bell />}
      {isSignedIn && <AccountMenu />}
    </header>
  );
}

function BarButton(props: { icon: IconName; label: string; onClick(): void; children?: ReactNode }) {
  const { icon, label, onClick, children } = props;
  return (
    <button type="button" className="bar-button" aria-label={label} title={label} onClick={onClick}>
      <Icon name={icon} />
      {children}
    </button>
  );
}

function AccountMenu() {
  const { session } = useApi();
  const { email, roles = [] } = useCallerIfSignedIn()?.data ?? {};
  return (
    <Menu
      ariaLabel={email ? `Account: ${email}` : 'Account'}
      className="bar-button"
      description={[email, roles.map((role) => roleNames[role]).join(', ')].filter(Boolean).join(' · ')}
      items={[
        { id: 'profile', text: 'Profile and API keys', icon: 'user' },
        { id: 'sign-out', text: 'Sign out', icon: 'out' },
      ]}
      onChoose={(id) => (id === 'profile' ? navigate('/profile') : void session.signOut())}
    >
      <span className="avatar" aria-hidden="true">
        {(email ?? '?').charAt(0).toUpperCase()}
      </span>
    </Menu>
  );
}
