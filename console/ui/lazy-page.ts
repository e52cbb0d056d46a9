import { type ComponentType, lazy } from 'react';

// biome-ignore lint/suspicious/noExplicitAny: each page has its own parameters; its path names them.
type AnyComponent = ComponentType<any>;

export type PageContent = AnyComponent & {
  /** Starts to load the code of the page before it is rendered. */
  preload?(): void;
};

/** A page whose code is loaded when it is first shown. */
export function lazyPage<Name extends string>(
  load: () => Promise<Readonly<Record<Name, AnyComponent>>>,
  name: Name,
): PageContent {
  const Content = lazy(async () => ({ default: (await load())[name] }));
  // A failure is reported when the page is rendered.
  return Object.assign(Content, { preload: () => void load().catch(() => {}) });
}
