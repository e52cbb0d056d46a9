import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import pMap from 'p-map';
import type { TaskReports } from '../../jobs/job-machine.ts';
import { type Log, toErrorFields } from '../../platform/log.ts';
import { type AdvanceTools, advancePage } from './advance-page.ts';
import { type PageMessage, parsePageMessage, type StartExecution } from './page-machine.ts';

// Processes queue messages about pages. SQS redelivers those that fail, and the sweep replaces those that are lost.

export interface PageWorkerTools extends AdvanceTools {
  start: StartExecution;
  reports: Pick<TaskReports, 'succeed'>;
  log: Log;
}

export function createPageWorker(tools: PageWorkerTools): (event: SQSEvent) => Promise<SQSBatchResponse> {
  return (event) => processPages(event, (message) => advance(message, tools), tools.log);
}

async function advance({ page_id, token }: PageMessage, tools: PageWorkerTools): Promise<void> {
  const advanced = await advancePage(page_id, tools);
  if (token !== undefined) await tools.reports.succeed(token, advanced);
  else if (advanced.active) await tools.start(advanced);
}

export async function processPages(
  { Records }: SQSEvent,
  work: (message: PageMessage) => Promise<unknown>,
  log: Log,
): Promise<SQSBatchResponse> {
  const batchItemFailures: SQSBatchResponse['batchItemFailures'] = [];
  await pMap(Records, async ({ messageId, body }) => {
    try {
      await work(parsePageMessage(body));
    } catch (error) {
      log('error', 'failed to process a page; SQS will redeliver its message', {
        message_id: messageId,
        body,
        ...toErrorFields(error),
      });
      batchItemFailures.push({ itemIdentifier: messageId });
    }
  });
  return { batchItemFailures };
}
