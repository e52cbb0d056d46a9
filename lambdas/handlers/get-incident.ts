import { incidentOperations } from '../../contract/incidents.ts';
import { showIncident } from '../incidents/incident.ts';
import { route } from '../platform/http/route.ts';
import { deployedStore } from '../records/deployed-records.ts';
import { getRecord } from '../records/get-record.ts';

export const handler = route(incidentOperations.getIncident, getRecord(deployedStore(), { show: showIncident }));
