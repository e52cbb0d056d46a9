import { maxAttempts } from '../contract/retry-schedule.ts';

// The state machine of retries that wait longer than a message in a queue can. It waits for the delay that the worker
// computed (lambdas/webhooks/outbound/schedule-retry.ts) and then sends a message to a queue of the workers. It does not
// invoke a function itself: after an outage many retries are due at the same time, and the queue limits how many run
// concurrently. A failed send is retried; if it keeps failing, the scheduled redrive requeues the delivery.

const buildStates = (partition: string) => ({
  'Wait before the next attempt': {
    Type: 'Wait',
    SecondsPath: '$.wait_seconds',
    Next: 'Queue the next attempt',
  },
  'Queue the next attempt': {
    Type: 'Task',
    Resource: `arn:${partition}:states:::sqs:sendMessage`,
    Parameters: {
      'QueueUrl.$': '$.queue_url',
      MessageBody: {
        known: { 'id.$': '$.delivery_id', 'webhook_id.$': '$.webhook_id' },
        'attempt.$': '$.attempt',
      },
    },
    Retry: [
      {
        ErrorEquals: ['States.ALL'],
        IntervalSeconds: 2,
        BackoffRate: 2,
        MaxAttempts: 8,
        MaxDelaySeconds: 60,
        JitterStrategy: 'FULL',
      },
    ],
    Catch: [{ ErrorEquals: ['States.ALL'], Next: 'Queueing failed' }],
    End: true,
  },
  'Queueing failed': {
    Type: 'Fail',
    Error: 'QueueingFailed',
    Cause: 'SQS rejected the message after eight retries. The scheduled redrive requeues the delivery.',
  },
});

export function retryDefinition(partition: string) {
  return {
    Comment: `Waits before a retry of a webhook delivery (attempts 2 to ${maxAttempts}) and then queues it.`,
    StartAt: 'Wait before the next attempt',
    States: buildStates(partition),
  };
}
