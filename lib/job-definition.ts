// The state machine of a bulk job: a Map over its chunks. It does not invoke a function itself: each chunk is a message to
// the queue, which limits the workers, and lasts until a worker reports its result with the token of the message
// (lambdas/jobs/job-machine.ts). A failed chunk is retried; then a last message fails the records without a result, so
// every job ends. The worker that finishes the job fails the task with RecordsFailed if the service failed some records.

/** Of one job: more would make other jobs wait. */
const maxConcurrentChunks = 2;

const retryForQuarterHour = { IntervalSeconds: 5, BackoffRate: 2, MaxDelaySeconds: 300, MaxAttempts: 8 };
const retryForDay = { IntervalSeconds: 5, BackoffRate: 2, MaxDelaySeconds: 3_600, MaxAttempts: 34 };

/**
 * The message is then in the dead-letter queue or far behind in the queue, and a retry sends a new one. A duplicate does no
 * harm, because a worker processes only the records without a result.
 */
const timeoutSeconds = 6 * 60 * 60;

export function jobDefinition(partition: string, queueUrl: string) {
  const chunk = (content: object, retry: object) => ({
    Type: 'Task',
    Resource: `arn:${partition}:states:::sqs:sendMessage.waitForTaskToken`,
    Parameters: {
      QueueUrl: queueUrl,
      MessageBody: {
        'job_id.$': '$.job_id',
        'first.$': '$.first',
        'end.$': '$.end',
        'token.$': '$$.Task.Token',
        ...content,
      },
    },
    TimeoutSeconds: timeoutSeconds,
    Retry: [
      { ErrorEquals: ['RecordsFailed'], MaxAttempts: 0 },
      { ErrorEquals: ['States.ALL'], ...retry },
    ],
    End: true,
  });
  return {
    Comment: 'Processes the chunks of a bulk job.',
    StartAt: 'Process all chunks',
    States: {
      'Process all chunks': {
        Type: 'Map',
        ItemsPath: '$.chunks',
        MaxConcurrency: maxConcurrentChunks,
        ItemProcessor: {
          ProcessorConfig: { Mode: 'INLINE' },
          StartAt: 'Process a chunk',
          States: {
            'Process a chunk': {
              ...chunk({}, retryForQuarterHour),
              Catch: [{ ErrorEquals: ['States.ALL'], ResultPath: null, Next: 'Fail the unprocessed records' }],
            },
            'Fail the unprocessed records': chunk({ give_up: true }, retryForDay),
          },
        },
        End: true,
      },
    },
  };
}
