// Event source mappings: queues and table streams that call functions. They start after those services and stop before
// them.
import type { Access } from '../../aws/service.ts';
import type { RuntimeService } from '../../runtime-service.ts';
import type { Resource } from '../../template/resource-type.ts';
import { parseMapping, type QueueMapping, type StreamMapping } from './mapping.ts';
import type { EventSourceDependencies } from './ports.ts';
import { QueueSource } from './queue-source.ts';
import { createCheckpoints } from './stream-records.ts';
import { StreamSource } from './stream-source.ts';

interface EventSources extends RuntimeService {
  /** Reads the mappings; throws an error that lists all unsupported ones. */
  load(resources: readonly Resource[]): void;
}

export function createEventSources(dependencies: EventSourceDependencies): EventSources {
  const checkpoints = createCheckpoints(dependencies.storage);
  const mappings: (QueueMapping | StreamMapping)[] = [];
  const stops: (() => void)[] = [];

  const startStream = async (mapping: StreamMapping) => {
    const { sourceArn, start } = mapping;
    const first = start === 'LATEST' ? await dependencies.streams.getLatestSequence(sourceArn) : undefined;
    const position = checkpoints.open(mapping.id, first);
    const source = new StreamSource(mapping, position, dependencies, checkpoints);
    stops.push(
      dependencies.streams.onRecords(sourceArn, () => source.requestPoll()),
      () => source.stop(),
    );
    source.requestPoll();
  };

  const startQueue = (mapping: QueueMapping) => {
    const source = new QueueSource(mapping, dependencies);
    stops.push(() => source.stop());
    source.start();
  };

  return {
    name: 'event sources',
    load(resources) {
      const problems: string[] = [];
      for (const resource of resources) {
        if (resource.type !== 'AWS::Lambda::EventSourceMapping') continue;
        try {
          const mapping = parseMapping(resource);
          assertRunnable(mapping, dependencies);
          mappings.push(mapping);
        } catch (error) {
          problems.push((error as Error).message);
        }
      }
      if (problems.length > 0)
        throw new Error(`These event source mappings are not supported:\n- ${problems.join('\n- ')}`);
    },
    async start() {
      for (const mapping of mappings) {
        if (mapping.kind === 'queue') startQueue(mapping);
        else await startStream(mapping);
      }
    },
    async stop() {
      for (const stop of stops.splice(0)) stop();
    },
  };
}

function assertRunnable(
  mapping: QueueMapping | StreamMapping,
  { functions, queues, authorize }: EventSourceDependencies,
): void {
  const definition = functions.find(mapping.functionReference);
  const { logicalId, sourceArn } = mapping;
  if (mapping.kind === 'queue') {
    const visibilitySeconds = queues.visibilityTimeoutSeconds(sourceArn);
    const timeoutSeconds = definition.timeoutMs / 1000;
    if (visibilitySeconds < timeoutSeconds)
      throw new Error(
        `${logicalId}: the queue's visibility timeout of ${visibilitySeconds} seconds is less than the function's timeout of ${timeoutSeconds} seconds`,
      );
  }
  try {
    authorize?.({ roleArn: definition.roleArn, name: definition.name }, getRequiredAccesses(mapping));
  } catch (error) {
    throw new Error(`${logicalId}: the function's role may not read its event source: ${(error as Error).message}`);
  }
}

function getRequiredAccesses(mapping: QueueMapping | StreamMapping): readonly Access[] {
  const on = (resource: string, actions: readonly string[]) => actions.map((action) => ({ action, resource }));
  if (mapping.kind === 'queue')
    return on(mapping.sourceArn, ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes']);
  return [
    ...on(mapping.sourceArn, ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator']),
    ...on('*', ['dynamodb:ListStreams']),
    ...(mapping.onFailureQueueArn ? on(mapping.onFailureQueueArn, ['sqs:SendMessage']) : []),
  ];
}
