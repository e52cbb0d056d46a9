export { RequestListPage } from './request-list-page.tsx';
export { CreateRequestPage, EditRequestPage, RequestPage } from './request-page.tsx';
