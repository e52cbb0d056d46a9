import { navigate as changeAddress, usePathname, useSearch } from 'wouter/use-browser-location';

// The console's own addresses, below /console/. Paths here are relative to that folder and start with a slash. The query
// says what a page shows of its data (filters, sort, page), so that a view can be shared and the back button works.

const basePath = '/console/';

export function usePath(): string {
  return toPath(usePathname());
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

window.addEventListener('popstate', () => {
  movedInHistory = true;
});

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
  if (isUnsaved() && !window.confirm('Leave this page? Your changes are not saved.')) return;
  movedInHistory = false;
  if (address !== currentAddress()) changeAddress(toHref(address));
  window.scrollTo(0, 0);
}

/** Shows another view of the same page. */
export function changeQuery(query: string): void {
  const address = toPath(window.location.pathname) + (query === '' ? '' : `?${query}`);
  if (address !== currentAddress()) changeAddress(toHref(address));
}

/** Changes the address without a new entry in the history, for example to drop a used sign-in code. */
export function replaceLocation(address: string): void {
  changeAddress(toHref(address), { replace: true });
  window.scrollTo(0, 0);
}

export type PathParameters = Readonly<Record<string, string>>;

/** `/incidents/:id` matches `/incidents/INC1` with `{ id: 'INC1' }`. */
export function matchPath(pattern: string, path: string): PathParameters | undefined {
  const [wanted, given] = [pattern.split('/'), path.split('/')];
  if (wanted.length !== given.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [place, part] of wanted.entries()) {
    const value = given[place] ?? '';
    if (!part.startsWith(':')) {
      if (part !== value) return undefined;
      continue;
    }
    try {
      parameters[part.slice(1)] = decodeURIComponent(value);
    } catch {
      // A lone percent sign; no address of ours contains one.
      return undefined;
    }
  }
  return parameters;
}

function toPath(pathname: string): string {
  const path = pathname.startsWith(basePath) ? pathname.slice(basePath.length) : '';
  return `/${path.replace(/\/$/, '')}`;
}
