// Message move tasks redrive a dead-letter queue: they move its visible messages back to the queues that they came from,
// or to another queue. A task is one write here, so it is complete when StartMessageMoveTask returns.
import type { Access, Input } from '../aws/service.ts';
import type { MoveTask, SqsCore } from './core.ts';
import { invalidValueError, unsupportedError } from './error.ts';
import type { Queue } from './queues.ts';

const maxTasksPerQueue = 10;

export function getMoveAccess(source: string, destination: unknown): Access[] {
  const actions = ['StartMessageMoveTask', 'ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes'];
  const accesses = actions.map((action) => ({ action: `sqs:${action}`, resource: source }));
  if (destination === undefined) return accesses;
  return [...accesses, { action: 'sqs:SendMessage', resource: String(destination) }];
}

export async function startMoveTask(core: SqsCore, input: Input, source: Queue) {
  if (input.MaxNumberOfMessagesPerSecond !== undefined)
    throw unsupportedError('the parameter MaxNumberOfMessagesPerSecond');
  const isDeadLetterQueue = core.queues
    .list()
    .some(({ settings }) => settings.RedrivePolicy?.deadLetterTargetArn === source.arn);
  if (!isDeadLetterQueue) {
    throw invalidValueError('SourceArn', source.arn, 'Source queue must be configured as a Dead Letter Queue.');
  }
  const destination = input.DestinationArn === undefined ? undefined : core.queues.get(String(input.DestinationArn));
  if (destination === source) {
    throw invalidValueError('DestinationArn', source.arn, 'Source and destination queues must be different.');
  }
  const { moved, remaining } = await core.moveMessages(source, destination);
  const task: MoveTask = {
    Status: remaining === 0 ? 'COMPLETED' : 'FAILED',
    SourceArn: source.arn,
    ...(destination && { DestinationArn: destination.arn }),
    ApproximateNumberOfMessagesMoved: moved,
    ApproximateNumberOfMessagesToMove: moved + remaining,
    // Messages that were sent to the dead-letter queue directly have no source queue.
    ...(remaining > 0 && { FailureReason: 'CouldNotDetermineMessageSource' }),
    StartedTimestamp: core.clock.now(),
  };
  core.moveTasks.set(source.arn, [task, ...(core.moveTasks.get(source.arn) ?? [])].slice(0, maxTasksPerQueue));
  return { TaskHandle: Buffer.from(`${source.name} ${task.StartedTimestamp}`).toString('base64') };
}

export function listMoveTasks(core: SqsCore, { MaxResults = 1 }: Input, source: Queue) {
  if (!Number.isInteger(MaxResults) || MaxResults < 1 || MaxResults > maxTasksPerQueue) {
    throw invalidValueError('MaxResults', MaxResults, `Must be between 1 and ${maxTasksPerQueue}.`);
  }
  return { Results: (core.moveTasks.get(source.arn) ?? []).slice(0, MaxResults) };
}
