import { routes } from '../../contract/routes.ts';
import { incidentType } from '../incidents/incident.ts';
import { route } from '../platform/http/route.ts';
import { deleteRecord } from '../records/delete-record.ts';
import { deployedChanger } from '../records/deployed-records.ts';
import { deployedSlaPolicy } from '../sla/deployed-policy.ts';

export const handler = route(routes.deleteIncident, deleteRecord(deployedChanger(incidentType(deployedSlaPolicy()))));
