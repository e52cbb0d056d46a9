// The state machine of a page: wait until the next step, and then queue the page for its worker, which takes the step and
// reports the next time with the token of the message (lambdas/oncall/pages/page-machine.ts). The state of the page is in
// the table, so the execution knows only when to wake up. It ends with the page. If it fails, the sweep continues the page.

/** The message is then lost or far behind in the queue; the sweep sends another one after a minute. */
const timeoutSeconds = 900;

export function pageDefinition(partition: string, queueUrl: string) {
  return {
    Comment: 'Waits between the steps of a page.',
    StartAt: 'Wait for the next step',
    States: {
      'Wait for the next step': { Type: 'Wait', TimestampPath: '$.wake_at', Next: 'Take the step' },
      'Take the step': {
        Type: 'Task',
        Resource: `arn:${partition}:states:::sqs:sendMessage.waitForTaskToken`,
        Parameters: {
          QueueUrl: queueUrl,
          MessageBody: { 'page_id.$': '$.page_id', 'token.$': '$$.Task.Token' },
        },
        TimeoutSeconds: timeoutSeconds,
        Retry: [
          { ErrorEquals: ['States.ALL'], IntervalSeconds: 2, BackoffRate: 2, MaxDelaySeconds: 60, MaxAttempts: 8 },
        ],
        Next: 'Is there another step?',
      },
      'Is there another step?': {
        Type: 'Choice',
        Choices: [{ Variable: '$.active', BooleanEquals: true, Next: 'Wait for the next step' }],
        Default: 'Page ended',
      },
      'Page ended': { Type: 'Succeed' },
    },
  };
}
