import { incidentOperations } from '../../contract/incidents.ts';
import { getIncidentSla } from '../incidents/get-incident-sla.ts';
import { route } from '../platform/http/route.ts';
import { deployedStore } from '../records/deployed-records.ts';
import { deployedSlaPolicy } from '../sla/deployed-policy.ts';

export const handler = route(incidentOperations.getIncidentSla, getIncidentSla(deployedStore(), deployedSlaPolicy()));
