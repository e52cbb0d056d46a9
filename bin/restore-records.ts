// `npm run restore-records -- <table> <restored table> <events table> [--apply]`: sets the records of a stack back to a
// point in time that DynamoDB restored to another table (docs/runbook.md). AWS_ENDPOINT_URL selects a local server.
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createItemStore } from '../lambdas/records/item-store.ts';
import { environments } from '../lib/environments.ts';
import { rewindRecords } from './rewind-records.ts';
import { runTool, UsageError } from './tool.ts';

const usage = 'Usage: npm run restore-records -- <records table> <restored table> <events table> [--apply]';

await runTool(async (args) => {
  const [records, restored, events, ...others] = args.filter((arg) => arg !== '--apply');
  if (!records || !restored || !events || others.length > 0) throw new UsageError(usage);
  const apply = args.includes('--apply');
  const client = new DynamoDBClient({ maxAttempts: 10 });
  const progress = (await createItemStore(client, records).get('sla-policy', 'progress'))?.progress?.S;
  const minutes = progress ? JSON.parse(progress).policy : environments.prod.slaMinutes;
  const tables = { records, restored, events };
  const report = await rewindRecords({ client, tables, minutes, now: Date.now, apply });
  const [verb, hint] = apply ? ['', ''] : ['would be ', ' Add --apply to do it.'];
  console.log(
    `${report.rewound} records ${verb}set back, ${report.removed} later ones ${verb}deleted, ` +
      `${report.parts} other items ${verb}restored or removed.${hint}`,
  );
  if (report.conflicts > 0) throw new UsageError(`${report.conflicts} records changed meanwhile. Run the tool again.`);
});
