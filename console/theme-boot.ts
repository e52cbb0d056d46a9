// Runs in the head and applies the theme as soon as the body exists: a script in the body would run after a first white
// frame. The user's choice overrides that of the system. app/theme.ts changes and stores it.
const chosen = localStorage.getItem('console.theme');
const isDark = chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;

const observer = new MutationObserver(() => {
  if (!document.body) return;
  observer.disconnect();
  document.body.classList.toggle('awsui-dark-mode', isDark);
});
observer.observe(document.documentElement, { childList: true });
