export { JobListPage } from './job-list-page.tsx';
export { JobPage } from './job-page.tsx';
