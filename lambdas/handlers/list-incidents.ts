import { routes } from '../../contract/routes.ts';
import { showIncident } from '../incidents/incident.ts';
import { incidentListing } from '../incidents/incident-listing.ts';
import { deployedList } from '../lists/deployed-list.ts';
import { listResource } from '../lists/list-resource.ts';
import { route } from '../platform/http/route.ts';

export const handler = route(
  routes.listIncidents,
  listResource(deployedList(incidentListing), incidentListing, { show: showIncident }),
);
