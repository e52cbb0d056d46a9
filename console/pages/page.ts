import type { ComponentType } from 'react';

/** One address of the console. A capability keeps its pages in a folder of its own and lists them in pages.ts. */
export interface Page {
  /** `{name}` for parameters, which the component gets as properties. */
  path: string;
  title: string;
  /** Where the side navigation shows it; pages without a place are reached from other pages. */
  section?: string;
  // biome-ignore lint/suspicious/noExplicitAny: each page has its own parameters; the path names them.
  Content: ComponentType<any>;
}
