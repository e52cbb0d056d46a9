import { incidentOperations } from '../../contract/incidents.ts';
import { draftIncident } from '../incidents/draft-incident.ts';
import { incidentType } from '../incidents/incident.ts';
import { route } from '../platform/http/route.ts';
import { createRecord } from '../records/create-record.ts';
import { deployedStore } from '../records/deployed-records.ts';
import { deployedSlaPolicy } from '../sla/deployed-policy.ts';

const policy = deployedSlaPolicy();

export const handler = route(
  incidentOperations.createIncident,
  createRecord('createIncident', deployedStore(), incidentType(policy), (body, author, nowMs) =>
    draftIncident(body, author, nowMs, policy),
  ),
);
