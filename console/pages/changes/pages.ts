import type { Page } from '../page.ts';
import { CalendarPage } from './calendar/calendar-page.tsx';
import { ChangeListPage } from './change-list-page.tsx';
import { ChangePage } from './change-page.tsx';
import { CreateChangePage } from './create-change-page.tsx';
import { EditChangePage } from './edit-change-page.tsx';

const list = '/changes';
const one = '/changes/{id}';

export const changePages: readonly Page[] = [
  { path: list, title: 'Changes', section: 'Service desk', contentType: 'table', Content: ChangeListPage },
  { path: '/changes/new', title: 'Create change', parent: list, contentType: 'form', Content: CreateChangePage },
  { path: '/changes/calendar', title: 'Change calendar', section: 'Service desk', Content: CalendarPage },
  { path: one, title: 'Change', nameOf: ({ id }) => id!, parent: list, Content: ChangePage },
  {
    path: '/changes/{id}/edit',
    title: 'Edit change',
    nameOf: () => 'Edit',
    parent: one,
    contentType: 'form',
    Content: EditChangePage,
  },
];
