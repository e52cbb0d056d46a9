import { ciType } from '../cmdb/ci.ts';
import { incidentType } from '../incidents/incident.ts';
import { ciWork } from '../jobs/ci-work.ts';
import { incidentWork } from '../jobs/incident-work.ts';
import { jobStore } from '../jobs/job-store.ts';
import { jobWorker } from '../jobs/job-worker.ts';
import { dynamodbClient } from '../platform/clients/dynamodb.ts';
import { clock } from '../platform/clock.ts';
import { env } from '../platform/env.ts';
import { log } from '../platform/log.ts';
import { recordChanger } from '../records/change-record.ts';
import { itemStore } from '../records/item-store.ts';
import { parseSlaPolicy } from '../sla/policy.ts';

const { RECORDS_TABLE, SLA_MINUTES, JOB_DELIVERIES } = env('RECORDS_TABLE', 'SLA_MINUTES', 'JOB_DELIVERIES');
const policy = parseSlaPolicy(SLA_MINUTES);
const store = itemStore(dynamodbClient(), RECORDS_TABLE);
const work = {
  incident: incidentWork({ store, change: recordChanger(store, incidentType(policy), clock), policy, clock }),
  ci: ciWork({ store, change: recordChanger(store, ciType, clock), clock }),
};

export const handler = jobWorker({ jobs: jobStore(store), work, clock, log }, Number(JOB_DELIVERIES));
