import { incidentOperations } from '../../contract/incidents.ts';
import { incidentType } from '../incidents/incident.ts';
import { incidentChange } from '../incidents/incident-change.ts';
import { route } from '../platform/http/route.ts';
import { deployedChanger } from '../records/deployed-records.ts';
import { updateRecord } from '../records/update-record.ts';
import { deployedSlaPolicy } from '../sla/deployed-policy.ts';

const policy = deployedSlaPolicy();
const type = incidentType(policy);

export const handler = route(
  incidentOperations.updateIncident,
  updateRecord(deployedChanger(type), type, (before, body, { email }, nowMs) =>
    incidentChange(before, body, email, nowMs, policy),
  ),
);
