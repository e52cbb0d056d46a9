import { incidentOperations } from '../../contract/incidents.ts';
import { incidentType } from '../incidents/incident.ts';
import { route } from '../platform/http/route.ts';
import { deleteRecord } from '../records/delete-record.ts';
import { deployedChanger } from '../records/deployed-records.ts';
import { deployedSlaPolicy } from '../sla/deployed-policy.ts';

export const handler = route(
  incidentOperations.deleteIncident,
  deleteRecord(deployedChanger(incidentType(deployedSlaPolicy()))),
);
