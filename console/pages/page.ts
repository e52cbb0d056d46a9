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

interface RecordPages {
  /** The path of the list. */
  list: string;
  title: string;
  /** What one of them is called. */
  thing: string;
  /** What the page is called on which one is written, if not that it creates one. */
  create?: string;
  /** The list, the page of a new one, of one, and of its changes. */
  contents: { List: Page['Content']; Create: Page['Content']; One: Page['Content']; Edit: Page['Content'] };
}

/** The pages that every kind of record has. */
export function recordPages({ list, title, thing, create, contents }: RecordPages): readonly Page[] {
  const one = `${list}/{id}`;
  const form = { contentType: 'form' } as const;
  const name = thing.charAt(0).toUpperCase() + thing.slice(1);
  return [
    { path: list, title, section: 'Service desk', contentType: 'table', Content: contents.List },
    { ...form, path: `${list}/new`, title: create ?? `Create ${thing}`, parent: list, Content: contents.Create },
    { path: one, title: name, nameOf: ({ id }) => id!, parent: list, Content: contents.One },
    { ...form, path: `${one}/edit`, title: `Edit ${thing}`, nameOf: () => 'Edit', parent: one, Content: contents.Edit },
  ];
}
