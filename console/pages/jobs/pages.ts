import type { Page } from '../page.ts';
import { JobListPage } from './job-list-page.tsx';
import { JobPage } from './job-page.tsx';

const list = '/jobs';

export const jobPages: readonly Page[] = [
  { path: list, title: 'Bulk jobs', section: 'Service desk', contentType: 'table', Content: JobListPage },
  { path: '/jobs/{id}', title: 'Bulk job', nameOf: ({ id }) => id!, parent: list, Content: JobPage },
];
