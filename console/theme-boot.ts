import { applyTheme } from './app/theme.ts';

// Runs in the head and applies the theme as soon as the body exists: a script in the body would run after a first white
// frame.

const observer = new MutationObserver(() => {
  if (!document.body) return;
  observer.disconnect();
  applyTheme();
});
observer.observe(document.documentElement, { childList: true });

// The browser requests the files of the page together with the first script, not after it. The build lists them.
const filesByAddress: Record<string, string[]> = JSON.parse(document.currentScript?.dataset.pages || '{}');
for (const file of filesByAddress[location.pathname] ?? []) {
  document.head.append(
    Object.assign(document.createElement('link'), { rel: 'modulepreload', href: `/console/${file}` }),
  );
}
