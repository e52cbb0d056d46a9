// The machine behind a delivery whose latest attempt failed. It waits, as long as the worker said that made the attempt
// (lambdas/webhooks/outbound/delivery.ts), because a receiver may ask for more time, and then asks the workers for the next
// one. It makes no attempt itself: many deliveries of one dead receiver are due at the same moment, and a queue has them
// wait for as many workers as it is given, where a function would be called for each. Errors here are errors of ours,
// not of the receiver: they are repeated soon, and when that does not help, the sweep takes the delivery up again.

const states = (queueUrl: string, partition: string) => ({
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
    States: states(queueUrl, partition),
  };
}
