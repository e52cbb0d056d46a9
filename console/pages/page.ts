import type { ComponentType } from 'react';
import type { PathParameters } from '../location.ts';

/** One address of the console. A capability keeps its pages in a folder of its own and lists them in pages.ts. */
export interface Page {
  /** `{name}` for parameters, which the component gets as properties. */
  path: string;
  title: string;
  /** What to call one of several pages at this path, such as a record by its id. */
  nameOf?(parameters: PathParameters): string;
  /** The path of the page above it, with the same parameters. */
  parent?: string;
  /** Where the side navigation shows it; pages without a place are reached from other pages. */
  section?: string;
  /** How wide it becomes: tables take all there is. */
  contentType?: 'default' | 'table' | 'form';
  // biome-ignore lint/suspicious/noExplicitAny: each page has its own parameters; the path names them.
  Content: ComponentType<any>;
}
