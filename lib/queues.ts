import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Duration } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';

// The queues of workers. A message that fails too often moves to the dead-letter queue, which has an alarm.

const encrypted = { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true };

export function createDeadLetterQueue(scope: Construct): Queue {
  return new Queue(scope, 'DeadLetters', { ...encrypted, retentionPeriod: Duration.days(14) });
}

interface WorkQueueProps {
  /** Timeout of the function that processes the messages. */
  workerSeconds: number;
  deadLetters: Queue;
  maxReceives: number;
}

export function createWorkQueue(
  scope: Construct,
  id: string,
  { workerSeconds, deadLetters, maxReceives }: WorkQueueProps,
): Queue {
  return new Queue(scope, id, {
    ...encrypted,
    // As AWS recommends, the visibility timeout is six times the timeout of the worker.
    visibilityTimeout: Duration.seconds(6 * workerSeconds),
    retentionPeriod: Duration.days(4),
    deadLetterQueue: { queue: deadLetters, maxReceiveCount: maxReceives },
  });
}
