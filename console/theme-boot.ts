import { applyTheme, preferredTheme } from './app/preferred-theme.ts';

// Runs in the head and applies the theme as soon as the body exists: a script in the body would run after a first white
// frame.

const observer = new MutationObserver(() => {
  if (!document.body) return;
  observer.disconnect();
  applyTheme(preferredTheme());
});
observer.observe(document.documentElement, { childList: true });

// The browser requests the files of the page together with the first script, not after it. The build lists them.
const { pages, styles, firstView }: BootFiles = JSON.parse(document.currentScript?.dataset.files || '{}');

interface BootFiles {
  pages: Record<string, string[]>;
  /** The styles of all pages. They do not block the first view, which has its own. */
  styles: string;
  /** Shows the incident list at its plain address. */
  firstView: string;
}

if (location.pathname === '/console/incidents' && location.search === '') {
  append('script', { src: firstView, async: true, fetchPriority: 'high' });
}
append('link', { rel: 'stylesheet', href: styles }).dataset.styles = '';
for (const file of pages[location.pathname] ?? []) {
  append('link', { rel: 'modulepreload', href: `/console/${file}`, fetchPriority: 'low' });
}

function append<Tag extends 'link' | 'script'>(
  tag: Tag,
  properties: Partial<HTMLElementTagNameMap[Tag]>,
): HTMLElementTagNameMap[Tag] {
  const element = Object.assign(document.createElement(tag), properties);
  document.head.append(element);
  return element;
}
