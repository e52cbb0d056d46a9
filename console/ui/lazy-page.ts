import { type ComponentType, createElement, lazy, useState } from 'react';

// biome-ignore lint/suspicious/noExplicitAny: each page has its own parameters; its path names them.
type AnyComponent = ComponentType<any>;

export type PageContent = AnyComponent & {
  /** Starts to load the code of the page before it is rendered. */
  preload?(): Promise<unknown>;
};

/** A page whose code is loaded when it is first shown. */
export function lazyPage<Name extends string>(
  load: () => Promise<Readonly<Record<Name, AnyComponent>>>,
  name: Name,
): PageContent {
  let loaded: AnyComponent | undefined;
  const loadContent = async () => {
    loaded = (await load())[name];
    return { default: loaded };
  };
  const Lazy = lazy(loadContent);
  // Code that is already there is rendered at once; a lazy component would show the fallback first.
  const Content = (props: object) => {
    const [Shown] = useState(() => loaded ?? Lazy);
    return createElement(Shown, props);
  };
  // A failure is reported when the page is rendered.
  return Object.assign(Content, { preload: () => loadContent().catch(() => {}) });
}
