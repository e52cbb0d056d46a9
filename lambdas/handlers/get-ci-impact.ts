import { ciOperations } from '../../contract/cis.ts';
import { deployedGraph } from '../cmdb/deployed-graph.ts';
import { getCiImpact } from '../cmdb/get-ci-impact.ts';
import { openIncidentIds } from '../cmdb/open-incident-store.ts';
import { recordReader } from '../lists/record-store.ts';
import { backoff } from '../platform/backoff.ts';
import { dynamodbClient } from '../platform/clients/dynamodb.ts';
import { env } from '../platform/env.ts';
import { route } from '../platform/http/route.ts';
import { itemStore } from '../records/item-store.ts';

const { RECORDS_TABLE } = env('RECORDS_TABLE');
const client = dynamodbClient();

export const handler = route(
  ciOperations.getCiImpact,
  getCiImpact({
    store: itemStore(client, RECORDS_TABLE),
    graph: deployedGraph(),
    openIncidentIds: openIncidentIds(client, RECORDS_TABLE),
    read: recordReader(client, RECORDS_TABLE, backoff),
  }),
);
