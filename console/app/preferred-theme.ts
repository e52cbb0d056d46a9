// The user's choice overrides that of the system and is stored. Cloudscape's styles require this class name. Without React, for
// the first scripts of the page.

export type Theme = 'light' | 'dark';

const storageKey = 'console.theme';
const darkClass = 'awsui-dark-mode';

export function preferredTheme(): Theme {
  const chosen = localStorage.getItem(storageKey);
  if (chosen === 'light' || chosen === 'dark') return chosen;
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

export function applyTheme(theme: Theme): void {
  document.body.classList.toggle(darkClass, theme === 'dark');
}

export function storeTheme(theme: Theme): void {
  localStorage.setItem(storageKey, theme);
}
