// The state machine that rebuilds indexes of OpenSearch from the table. Each step is a message to the queue of a worker
// (lambdas/list-index/rebuild-index.ts), which limits how many segments are copied at the same time, and lasts until the
// worker reports its result with the token of the message. A long copy takes several messages. Every step can be repeated.

/** Settings of OpenSearch that are wrong stay wrong. */
const retryBriefly = { IntervalSeconds: 1, BackoffRate: 2, MaxAttempts: 2 };

/** An outage of OpenSearch. */
const retryForHours = { IntervalSeconds: 2, BackoffRate: 2, MaxDelaySeconds: 600, MaxAttempts: 30 };

/** Of one step, with all messages of a long copy. */
const timeoutSeconds = 24 * 60 * 60;

export function reindexDefinition(partition: string, queueUrl: string) {
  const task = (content: object, retry: object) => ({
    Type: 'Task',
    Resource: `arn:${partition}:states:::sqs:sendMessage.waitForTaskToken`,
    Parameters: { QueueUrl: queueUrl, MessageBody: { ...content, 'token.$': '$$.Task.Token' } },
    TimeoutSeconds: timeoutSeconds,
    Retry: [{ ErrorEquals: ['States.ALL'], ...retry }],
  });
  const copyAll = (name: string, itemsPath: string) => ({
    Type: 'Map',
    ItemsPath: itemsPath,
    ItemProcessor: {
      ProcessorConfig: { Mode: 'INLINE' },
      StartAt: name,
      States: { [name]: { ...task({ step: 'copy', 'copy.$': '$' }, retryForHours), End: true } },
    },
  });
  return {
    Comment: 'Rebuilds indexes of OpenSearch beside the live ones and switches to them.',
    StartAt: 'Create the indexes',
    States: {
      'Create the indexes': {
        ...task({ step: 'create', 'build.$': '$.build', 'types.$': '$.types' }, retryBriefly),
        Next: 'Copy all records',
      },
      'Copy all records': { ...copyAll('Copy a segment', '$.copies'), Next: 'Catch up' },
      'Catch up': { ...copyAll('Copy the changes since', '$'), Next: 'Switch the aliases' },
      'Switch the aliases': {
        ...task({ step: 'switch', 'copies.$': '$' }, retryForHours),
        Next: 'Copy the changes during the switch',
      },
      'Copy the changes during the switch': {
        ...copyAll('Copy the last changes', '$.copies'),
        Next: 'Delete the former indexes',
      },
      'Delete the former indexes': { ...task({ step: 'finish', 'copies.$': '$' }, retryForHours), End: true },
    },
  };
}
