import { applyTheme } from './app/theme.ts';

// Runs in the head and applies the theme as soon as the body exists: a script in the body would run after a first white
// frame.

const observer = new MutationObserver(() => {
  if (!document.body) return;
  observer.disconnect();
  applyTheme();
});
observer.observe(document.documentElement, { childList: true });
