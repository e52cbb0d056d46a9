import { createStore } from '../base/store.ts';

const root = document.documentElement;

/** theme-boot.ts has applied the stored choice. */
export const theme = createStore(root.dataset.theme === 'dark' ? 'dark' : 'light');

export function toggleTheme(): void {
  theme.set(theme.get() === 'dark' ? 'light' : 'dark');
  root.dataset.theme = theme.get();
  localStorage.setItem('console.theme', theme.get());
}
