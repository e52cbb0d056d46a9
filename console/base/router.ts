import { navigate as changeAddress, usePathname, useSearch } from 'wouter/use-browser-location';

// The console's own addresses, below /console/. Paths here are relative to that folder and start with a slash. The query
// says what a page shows of its data (filters, sort, page), so that a view can be shared and the back button works.

const basePath = '/console/';

export function usePath(): string {
  const pathname = usePathname();
  return toPath(keptPathname ?? pathname);
}

export function currentPath(): string {
  return toPath(window.location.pathname);
}

/** Without the question mark. */
export function useQueryString(): string {
  return useSearch().replace(/^\?/, '');
}

/** The address of a page, for links. */
export function toHref(path: string): string {
  return basePath + path.replace(/^\//, '');
}

/** The same with scheme and host, for other servers. */
export function toUrl(path = ''): string {
  return new URL(toHref(path), window.location.origin).href;
}

/** The page and its query: `/incidents?state=new`. */
export function currentAddress(): string {
  return toPath(window.location.pathname) + window.location.search;
}

let movedInHistory = false;

/** The number of the current entry in the history of the tab, to tell back from forward. */
let position = readPosition(window.history.state);

/** The page that stays on the screen while the browser returns to it. */
let keptPathname: string | undefined;

const leaveQuestion = 'Leave this page? Your changes are not saved.';

// The browser has already changed the address when it reports a step in the history. If the user stays, the step is
// taken back, and other listeners do not learn of it.
window.addEventListener('popstate', (event) => {
  const next = readPosition(event.state);
  if (keptPathname !== undefined) {
    event.stopImmediatePropagation();
    keptPathname = undefined;
  } else if (next !== position && isUnsaved() && !window.confirm(leaveQuestion)) {
    event.stopImmediatePropagation();
    keptPathname = shownPathname;
    window.history.go(position - next);
  } else {
    position = next;
    shownPathname = window.location.pathname;
    movedInHistory = true;
  }
});

let shownPathname = window.location.pathname;

function readPosition(state: unknown): number {
  const given = typeof state === 'object' && state !== null && 'position' in state ? state.position : 0;
  return typeof given === 'number' ? given : 0;
}

function moveTo(address: string, entry: 'new' | 'same'): void {
  if (entry === 'new') position += 1;
  changeAddress(toHref(address), { replace: entry === 'same', state: { position } });
  shownPathname = window.location.pathname;
}

/** Whether the user came to the current page with the back or forward button. */
export function isBackNavigation(): boolean {
  return movedInHistory;
}

let isUnsaved = () => false;

/** While `check` returns true, leaving the page needs a confirmation. */
export function guardLeaving(check: () => boolean): () => void {
  isUnsaved = check;
  const onUnload = (event: BeforeUnloadEvent) => {
    if (check()) event.preventDefault();
  };
  window.addEventListener('beforeunload', onUnload);
  return () => {
    isUnsaved = () => false;
    window.removeEventListener('beforeunload', onUnload);
  };
}

export function navigate(address: string): void {
  if (isUnsaved() && !window.confirm(leaveQuestion)) return;
  movedInHistory = false;
  if (address !== currentAddress()) moveTo(address, 'new');
  window.scrollTo(0, 0);
}

/** Shows another view of the same page. */
export function changeQuery(query: string, entry: 'new' | 'same' = 'new'): void {
  const address = toPath(window.location.pathname) + (query === '' ? '' : `?${query}`);
  if (address !== currentAddress()) moveTo(address, entry);
}

/** Changes the address without a new entry in the history, for example to drop a used sign-in code. */
export function replaceLocation(address: string): void {
  moveTo(address, 'same');
  window.scrollTo(0, 0);
}

function toPath(pathname: string): string {
  const path = pathname.startsWith(basePath) ? pathname.slice(basePath.length) : '';
  return `/${path.replace(/\/$/, '')}`;
}
