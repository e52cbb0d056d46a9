import { incidentOperations } from '../../contract/incidents.ts';
import { showIncident } from '../incidents/incident.ts';
import { incidentListing } from '../incidents/incident-listing.ts';
import { deployedList } from '../lists/deployed-list.ts';
import { listResource } from '../lists/list-resource.ts';
import { route } from '../platform/http/route.ts';

export const handler = route(
  incidentOperations.listIncidents,
  listResource(deployedList(incidentListing), incidentListing, { show: showIncident }),
);
