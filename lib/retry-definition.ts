// The state machine that retries a failed delivery. It waits for the delay that the worker computed
// (lambdas/webhooks/outbound/delivery.ts) and then sends a message to the workers' queue. It does not invoke a function
// itself: after an outage many retries are due at the same time, and the queue limits how many run concurrently. A failed
// send is retried; if it keeps failing, the sweep redrives the delivery.

const buildStates = (queueUrl: string, partition: string) => ({
  'Wait before the next attempt': {
    Type: 'Wait',
    SecondsPath: '$.wait_seconds',
    Next: 'Ask for the next attempt',
  },
  'Ask for the next attempt': {
    Type: 'Task',
    Resource: `arn:${partition}:states:::sqs:sendMessage`,
    Parameters: {
      QueueUrl: queueUrl,
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
    Cause: 'The workers could not be asked, again and again. The sweep starts another execution.',
  },
});

export function retryDefinition(queueUrl: string, partition: string) {
  return {
    Comment: 'One wait of a delivery, before any of its attempts 2 to 5.',
    StartAt: 'Wait before the next attempt',
    States: buildStates(queueUrl, partition),
  };
}
