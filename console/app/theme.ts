import { createStore } from '../ui/store.ts';

// The user's choice overrides that of the system and is stored. Cloudscape's styles require this class name.

export type Theme = 'light' | 'dark';

const storageKey = 'console.theme';
const darkClass = 'awsui-dark-mode';

export const theme = createStore<Theme>(preferredTheme());

export function applyTheme(): void {
  document.body.classList.toggle(darkClass, theme.get() === 'dark');
}

export function toggleTheme(): void {
  theme.set(theme.get() === 'dark' ? 'light' : 'dark');
  localStorage.setItem(storageKey, theme.get());
  applyTheme();
}

function preferredTheme(): Theme {
  const chosen = localStorage.getItem(storageKey);
  if (chosen === 'light' || chosen === 'dark') return chosen;
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}
