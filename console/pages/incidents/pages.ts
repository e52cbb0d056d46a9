import type { Page } from '../page.ts';
import { IncidentPage } from './detail/incident-page.tsx';
import { CreateIncidentPage } from './form/create-incident-page.tsx';
import { EditIncidentPage } from './form/edit-incident-page.tsx';
import { IncidentListPage } from './list/incident-list-page.tsx';

const list = '/incidents';
const one = '/incidents/{id}';

export const incidentPages: readonly Page[] = [
  { path: list, title: 'Incidents', section: 'Service desk', contentType: 'table', Content: IncidentListPage },
  { path: '/incidents/new', title: 'Create incident', parent: list, contentType: 'form', Content: CreateIncidentPage },
  { path: one, title: 'Incident', nameOf: ({ id }) => id!, parent: list, Content: IncidentPage },
  {
    path: '/incidents/{id}/edit',
    title: 'Edit incident',
    nameOf: () => 'Edit',
    parent: one,
    contentType: 'form',
    Content: EditIncidentPage,
  },
];
