import type { Page } from '../page.ts';
import { CiListPage } from './ci-list-page.tsx';
import { CiPage } from './ci-page.tsx';
import { ciList } from './ci-words.ts';
import { CreateCiPage } from './create-ci-page.tsx';
import { EditCiPage } from './edit-ci-page.tsx';
import { ImportCisPage } from './import-cis-page.tsx';

const section = 'Service desk';
const one = `${ciList}/{id}`;
const form = { parent: ciList, contentType: 'form' } as const;

export const cmdbPages: readonly Page[] = [
  { path: ciList, title: 'Configuration items', section, contentType: 'table', Content: CiListPage },
  { ...form, path: `${ciList}/new`, title: 'Add item', Content: CreateCiPage },
  { ...form, path: `${ciList}/import`, title: 'Add several', Content: ImportCisPage },
  { path: one, title: 'Configuration item', nameOf: ({ id }) => id!, parent: ciList, Content: CiPage },
  { ...form, path: `${one}/edit`, title: 'Edit item', nameOf: () => 'Edit', parent: one, Content: EditCiPage },
];
