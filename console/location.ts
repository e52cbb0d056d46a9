import { createStore } from './store.ts';

// The console's own addresses: everything below /console/, with the browser's history as the only state. Paths in
// here are relative to that folder and start with a slash. What a page shows of its data (filters, sort, page) is the
// query, so that a view can be shared and the back button leads to the one before.

const basePath = '/console/';

export const currentPath = createStore(pathOf(window.location.pathname));

/** Without the question mark. */
export const currentQuery = createStore(window.location.search.slice(1));

window.addEventListener('popstate', () => {
  currentQuery.set(window.location.search.slice(1));
  currentPath.set(pathOf(window.location.pathname));
});

/** The address of a page, for links. */
export function hrefOf(path: string): string {
  return basePath + path.replace(/^\//, '');
}

/** The same with scheme and host, for other servers. */
export function pageUrl(path = ''): string {
  return new URL(hrefOf(path), window.location.origin).href;
}

/** The page and its query: `/incidents?state=new`. */
export function currentAddress(): string {
  const query = currentQuery.get();
  return currentPath.get() + (query === '' ? '' : `?${query}`);
}

export function navigate(address: string): void {
  if (address !== currentAddress()) window.history.pushState(null, '', hrefOf(address));
  follow(address);
  window.scrollTo(0, 0);
}

/** Another view of the same page. */
export function changeQuery(query: string): void {
  if (query === currentQuery.get()) return;
  window.history.pushState(null, '', hrefOf(currentPath.get()) + (query === '' ? '' : `?${query}`));
  currentQuery.set(query);
}

/** Changes the address without a new entry in the history, for example to drop a used sign-in code. */
export function replaceLocation(address: string): void {
  window.history.replaceState(null, '', hrefOf(address));
  follow(address);
  window.scrollTo(0, 0);
}

export type PathParameters = Readonly<Record<string, string>>;

/** `/incidents/{id}` matches `/incidents/INC1` with `{ id: 'INC1' }`. */
export function matchPath(pattern: string, path: string): PathParameters | undefined {
  const expected = pattern.split('/');
  const found = path.split('/');
  if (expected.length !== found.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [index, part] of expected.entries()) {
    const name = /^\{(.+)\}$/.exec(part)?.[1];
    const value = found[index]!;
    if (!name && part !== value) return undefined;
    if (!name) continue;
    const parameter = decoded(value);
    if (!parameter) return undefined;
    parameters[name] = parameter;
  }
  return parameters;
}

function follow(address: string): void {
  const [path, ...query] = address.split('?');
  currentQuery.set(query.join('?'));
  currentPath.set(path!);
}

/** Undefined for text that no address of ours contains, such as a lone percent sign. */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function pathOf(pathname: string): string {
  const path = pathname.startsWith(basePath) ? pathname.slice(basePath.length) : '';
  return `/${path.replace(/\/$/, '')}`;
}
