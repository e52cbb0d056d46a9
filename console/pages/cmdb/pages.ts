import { type Page, recordPages } from '../page.ts';
import { CiListPage } from './ci-list-page.tsx';
import { CiPage } from './ci-page.tsx';
import { ciList } from './ci-words.ts';
import { CreateCiPage } from './create-ci-page.tsx';
import { EditCiPage } from './edit-ci-page.tsx';
import { ImportCisPage } from './import-cis-page.tsx';

/** What is added several at once comes before what could take it for an id. */
export const cmdbPages: readonly Page[] = [
  { path: `${ciList}/import`, title: 'Import items', parent: ciList, contentType: 'form', Content: ImportCisPage },
  ...recordPages({
    list: ciList,
    title: 'Configuration items',
    thing: 'item',
    create: 'Add item',
    contents: { List: CiListPage, Create: CreateCiPage, One: CiPage, Edit: EditCiPage },
  }),
];
