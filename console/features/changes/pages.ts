export { CalendarPage } from './calendar-page.tsx';
export { ChangeListPage } from './change-list-page.tsx';
export { ChangePage, CreateChangePage, EditChangePage } from './change-page.tsx';
