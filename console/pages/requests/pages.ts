import { recordPages } from '../page.ts';
import { CreateRequestPage } from './create-request-page.tsx';
import { EditRequestPage } from './edit-request-page.tsx';
import { RequestListPage } from './request-list-page.tsx';
import { RequestPage } from './request-page.tsx';
import { requestList, requestWords } from './request-words.ts';

export const requestPages = recordPages({
  list: requestList,
  title: 'Service requests',
  thing: requestWords.thing,
  contents: { List: RequestListPage, Create: CreateRequestPage, One: RequestPage, Edit: EditRequestPage },
});
