import TopNavigation, { type TopNavigationProps } from '@cloudscape-design/components/top-navigation';
import { useApi } from '../api.ts';
import icon from '../icon.svg';
import { hrefOf, navigate } from '../location.ts';
import { theme, toggleTheme } from '../theme.ts';
import { useStore } from '../use-store.ts';
import { MoonIcon, SunIcon } from './theme-icons.tsx';
import { useAccountMenu } from './use-account-menu.ts';
import { useBell } from './use-bell.ts';

export function TopBar() {
  const { config } = useApi();
  const account = useAccountMenu();
  const bell = useBell();
  const themeButton = useThemeButton();
  return (
    <header id="top-bar">
      <TopNavigation
        identity={{
          href: hrefOf('/'),
          title: `Incident Service · ${config.service_instance}`,
          logo: { src: icon, alt: 'Overview' },
          onFollow: (event) => {
            event.preventDefault();
            navigate('/');
          },
        }}
        utilities={[themeButton, bell, account].filter((utility) => utility !== undefined)}
      />
    </header>
  );
}

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
