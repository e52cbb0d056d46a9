import * as z from 'zod';
import { type Log, toErrorFields } from '../platform/log.ts';

// The protocol of CloudFormation's custom resources: the function sends the result to a URL in the event. Without a result
// CloudFormation waits until the resource's timeout, so failures are results as well.

interface CustomResourceOptions {
  /** Constant, so that CloudFormation never replaces the resource. */
  physicalId: string;
  /** Creates or updates the resource. */
  publish(properties: unknown): Promise<void>;
  remove(): Promise<void>;
  log: Log;
}

const sendTimeoutMs = 10_000;
const maxReasonLength = 1_000;

const eventSchema = z.object({
  RequestType: z.enum(['Create', 'Update', 'Delete']),
  ResponseURL: z.url(),
  StackId: z.string(),
  RequestId: z.string(),
  LogicalResourceId: z.string(),
  ResourceProperties: z.unknown(),
});

export function handleCustomResource({ physicalId, publish, remove, log }: CustomResourceOptions) {
  return async (input: unknown): Promise<void> => {
    const event = eventSchema.parse(input);
    const { StackId, RequestId, LogicalResourceId } = event;
    const result = { StackId, RequestId, LogicalResourceId, PhysicalResourceId: physicalId };
    try {
      await (event.RequestType === 'Delete' ? remove() : publish(event.ResourceProperties));
      await send(event.ResponseURL, { ...result, Status: 'SUCCESS' });
    } catch (error) {
      log('error', 'custom resource request failed', toErrorFields(error));
      const reason = error instanceof Error ? error.message : String(error);
      await send(event.ResponseURL, { ...result, Status: 'FAILED', Reason: reason.slice(0, maxReasonLength) });
    }
  };
}

/** The signature of the URL covers an empty content type. */
async function send(url: string, result: object): Promise<void> {
  const response = await fetch(url, {
    method: 'PUT',
    headers: { 'content-type': '' },
    body: JSON.stringify(result),
    signal: AbortSignal.timeout(sendTimeoutMs),
  });
  if (!response.ok) throw new Error(`CloudFormation rejected the result with HTTP status ${response.status}`);
}
