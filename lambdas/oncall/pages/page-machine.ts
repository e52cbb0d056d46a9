import { ExecutionAlreadyExists, type SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import * as z from 'zod';
import type { Advanced } from './advance-page.ts';

// A page is one execution of a state machine that waits between its steps (lib/page-definition.ts). The first step does not
// need it: the stream consumer queues a message for the worker, and the worker starts the execution for the next step.

/** Starts one execution per page, even if it is called twice: the name is the id of the page. */
export type StartExecution = (next: Advanced) => Promise<void>;

export function createPageStarter(client: SFNClient, machineArn: string): StartExecution {
  return async ({ page_id, wake_at }) => {
    const input = JSON.stringify({ page_id, wake_at });
    try {
      await client.send(new StartExecutionCommand({ stateMachineArn: machineArn, name: page_id, input }));
    } catch (error) {
      if (!(error instanceof ExecutionAlreadyExists)) throw error;
    }
  };
}

const pageMessage = z.object({ page_id: z.string().startsWith('PAG'), token: z.string().optional() });

export type PageMessage = z.output<typeof pageMessage>;

/** With a token, an execution waits for the result. */
export function parsePageMessage(body: string): PageMessage {
  return pageMessage.parse(JSON.parse(body));
}
