import { routes } from '../../contract/routes.ts';
import { incidentListing } from '../incidents/incident-listing.ts';
import { listIncidents } from '../incidents/list-incidents.ts';
import { deployedList } from '../lists/deployed-list.ts';
import { route } from '../platform/http/route.ts';

export const handler = route(routes.listIncidents, listIncidents(deployedList(incidentListing)));
