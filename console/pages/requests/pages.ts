import type { Page } from '../page.ts';
import { CreateRequestPage } from './create-request-page.tsx';
import { EditRequestPage } from './edit-request-page.tsx';
import { RequestListPage } from './request-list-page.tsx';
import { RequestPage } from './request-page.tsx';

const list = '/requests';
const one = '/requests/{id}';

export const requestPages: readonly Page[] = [
  { path: list, title: 'Service requests', section: 'Service desk', contentType: 'table', Content: RequestListPage },
  { path: '/requests/new', title: 'Create request', parent: list, contentType: 'form', Content: CreateRequestPage },
  { path: one, title: 'Request', nameOf: ({ id }) => id!, parent: list, Content: RequestPage },
  {
    path: '/requests/{id}/edit',
    title: 'Edit request',
    nameOf: () => 'Edit',
    parent: one,
    contentType: 'form',
    Content: EditRequestPage,
  },
];
