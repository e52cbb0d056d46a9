import { createStore } from './store.ts';

// The console's own addresses: everything below /console/, with the browser's history as the only state. Paths in
// here are relative to that folder and start with a slash.

const basePath = '/console/';

export const currentPath = createStore(pathOf(window.location.pathname));

window.addEventListener('popstate', () => currentPath.set(pathOf(window.location.pathname)));

/** The address of a page, for links. */
export function hrefOf(path: string): string {
  return basePath + path.replace(/^\//, '');
}

/** The same with scheme and host, for other servers. */
export function pageUrl(path = ''): string {
  return new URL(hrefOf(path), window.location.origin).href;
}

export function navigate(path: string): void {
  if (path !== currentPath.get()) window.history.pushState(null, '', hrefOf(path));
  currentPath.set(path);
  window.scrollTo(0, 0);
}

/** Changes the address without a new entry in the history, for example to drop a used sign-in code. */
export function replaceLocation(path: string): void {
  window.history.replaceState(null, '', hrefOf(path));
  currentPath.set(path);
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
