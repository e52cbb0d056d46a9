export { IncidentListPage } from './incident-list-page.tsx';
export { IncidentPage } from './incident-page.tsx';
