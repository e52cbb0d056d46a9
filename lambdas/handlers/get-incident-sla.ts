import { routes } from '../../contract/routes.ts';
import { getIncidentSla } from '../incidents/get-incident-sla.ts';
import { route } from '../platform/http/route.ts';
import { deployedStore } from '../records/deployed-records.ts';
import { deployedSlaPolicy } from '../sla/deployed-policy.ts';

export const handler = route(routes.getIncidentSla, getIncidentSla(deployedStore(), deployedSlaPolicy()));
