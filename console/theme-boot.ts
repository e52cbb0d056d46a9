import { applyTheme } from './app/theme.ts';

// Runs in the head, before there is anything to draw, and dresses the body in the moment it appears: a script inside
// the body would come after a first frame that is white.

const observer = new MutationObserver(() => {
  if (!document.body) return;
  observer.disconnect();
  applyTheme();
});
observer.observe(document.documentElement, { childList: true });
