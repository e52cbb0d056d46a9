import { maxAttempts } from '../contract/retry-schedule.ts';

// The state machine of retries that wait longer than a message in a queue can. It waits for the delay that the worker
// computed (lambdas/webhooks/outbound/schedule-retry.ts) and then sends a message to a queue of the workers. It does not
// invoke a function itself: after an outage many retries are due at the same time, and the queue limits how many run
// concurrently. A failed send is retried; if it keeps failing, the sweep redrives the delivery.

const buildStates = (partition: string) => ({
  'Wait before the next attempt': {
    Type: 'Wait',
    SecondsPath: '$.wait_seconds',
    Next: 'Ask for the next attempt',
  },
  'Ask for the next attempt': {
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
    Catch: [{ ErrorEquals: ['States.ALL'], Next: 'Leave it to the sweep' }],
    End: true,
  },
  'Leave it to the sweep': {
    Type: 'Fail',
    Error: 'AttemptImpossible',
    Cause: 'The workers could not be asked, again and again. The sweep sends another message.',
  },
});

export function retryDefinition(partition: string) {
  return {
    Comment: `One wait of a delivery, before any of its attempts 2 to ${maxAttempts}.`,
    StartAt: 'Wait before the next attempt',
    States: buildStates(partition),
  };
}
