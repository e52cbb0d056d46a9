import { recordPages } from '../page.ts';
import { IncidentPage } from './detail/incident-page.tsx';
import { CreateIncidentPage } from './form/create-incident-page.tsx';
import { EditIncidentPage } from './form/edit-incident-page.tsx';
import { IncidentListPage } from './list/incident-list-page.tsx';

export const incidentPages = recordPages({
  list: '/incidents',
  title: 'Incidents',
  thing: 'incident',
  contents: { List: IncidentListPage, Create: CreateIncidentPage, One: IncidentPage, Edit: EditIncidentPage },
});
