import { type Page, recordPages } from '../page.ts';
import { CalendarPage } from './calendar/calendar-page.tsx';
import { ChangeListPage } from './change-list-page.tsx';
import { ChangePage } from './change-page.tsx';
import { changeList, changeWords } from './change-words.ts';
import { CreateChangePage } from './create-change-page.tsx';
import { EditChangePage } from './edit-change-page.tsx';

const [list, ...others] = recordPages({
  list: changeList,
  title: 'Changes',
  thing: changeWords.thing,
  contents: { List: ChangeListPage, Create: CreateChangePage, One: ChangePage, Edit: EditChangePage },
});

/** The calendar comes before what could take it for an id, and right after the list in the side bar. */
export const changePages: readonly Page[] = [
  list!,
  { path: `${changeList}/calendar`, title: 'Change calendar', section: 'Service desk', Content: CalendarPage },
  ...others,
];
