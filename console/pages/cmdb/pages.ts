import type { Page } from '../page.ts';
import { CiListPage } from './ci-list-page.tsx';
import { CiPage } from './ci-page.tsx';
import { ciList } from './ci-words.ts';

const section = 'Service desk';

export const cmdbPages: readonly Page[] = [
  { path: ciList, title: 'Configuration items', section, contentType: 'table', Content: CiListPage },
  { path: `${ciList}/{id}`, title: 'Configuration item', nameOf: ({ id }) => id!, parent: ciList, Content: CiPage },
];
