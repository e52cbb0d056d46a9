// The machine behind a delivery whose first attempt failed. It only waits and asks: the function that makes the attempt
// says whether another one follows, and after how long (lambdas/webhooks/retry-schedule.ts), because a receiver may ask
// for more time. Errors here are errors of ours, not of the receiver: they are repeated soon, and when that does not
// help, the sweep takes the delivery up again.

const states = (functionArn: string) => ({
  'Wait before the next attempt': {
    Type: 'Wait',
    SecondsPath: '$.wait_seconds',
    Next: 'Make the next attempt',
  },
  'Make the next attempt': {
    Type: 'Task',
    Resource: 'arn:aws:states:::lambda:invoke',
    Parameters: { FunctionName: functionArn, 'Payload.$': '$' },
    OutputPath: '$.Payload',
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
    Next: 'Is the delivery over?',
  },
  'Is the delivery over?': {
    Type: 'Choice',
    Choices: [{ Variable: '$.over', BooleanEquals: true, Next: 'The delivery is over' }],
    Default: 'Wait before the next attempt',
  },
  'The delivery is over': { Type: 'Succeed' },
  'Leave it to the sweep': {
    Type: 'Fail',
    Error: 'AttemptImpossible',
    Cause: 'The function that makes attempts failed again and again. The sweep starts another execution.',
  },
});

export function retryDefinition(functionArn: string) {
  return {
    Comment: 'Attempts 2 to 5 of one delivery.',
    StartAt: 'Wait before the next attempt',
    States: states(functionArn),
  };
}
