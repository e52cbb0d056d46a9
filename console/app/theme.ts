import { createStore } from '../base/store.ts';
import { applyTheme, preferredTheme, storeTheme, type Theme } from './preferred-theme.ts';

export const theme = createStore<Theme>(preferredTheme());

export function toggleTheme(): void {
  theme.set(theme.get() === 'dark' ? 'light' : 'dark');
  storeTheme(theme.get());
  applyTheme(theme.get());
}
