// A classic script in the head: only those run before the page is drawn. The user's choice overrides that of the system.
// app/theme.ts changes and stores it.
const chosen = localStorage.getItem('console.theme');
const isDark = chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
document.documentElement.dataset.theme = isDark ? 'dark' : 'light';
