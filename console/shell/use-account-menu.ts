import type { TopNavigationProps } from '@cloudscape-design/components/top-navigation';
import { useApi } from '../api.ts';
import { useCallerIfSignedIn } from '../caller.tsx';
import { navigate } from '../location.ts';
import { roleNames } from '../role-names.ts';
import { useStore } from '../use-store.ts';

/** The menu of the signed-in person; nothing when nobody is. */
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
