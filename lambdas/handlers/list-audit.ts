import { auditOperations } from '../../contract/audit.ts';
import { auditLog } from '../audit/audit-store.ts';
import { listAudit } from '../audit/list-audit.ts';
import { dynamodbClient } from '../platform/clients/dynamodb.ts';
import { env } from '../platform/env.ts';
import { route } from '../platform/http/route.ts';
import { deployedSeal } from '../records/deployed-records.ts';
import { itemStore } from '../records/item-store.ts';

const { EVENTS_TABLE } = env('EVENTS_TABLE');
const audit = auditLog(itemStore(dynamodbClient(), EVENTS_TABLE));

export const handler = route(auditOperations.listAudit, listAudit(audit, deployedSeal()));
