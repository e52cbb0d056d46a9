// `npm run redrive -- <stack> [<queue>]`: moves the messages of a dead-letter queue back to their source queues.
// Without a queue, lists the dead-letter queues of the stack. AWS_ENDPOINT_URL selects a local server.
import {
  GetQueueAttributesCommand,
  ListQueuesCommand,
  SQSClient,
  type SQSServiceException,
  StartMessageMoveTaskCommand,
} from '@aws-sdk/client-sqs';
import { runTool, UsageError } from './tool.ts';

const usage =
  'Usage: npm run redrive -- <stack> [<part of a queue name>], such as npm run redrive -- incidents-prod-service BulkJobs.';

await runTool(async (args) => {
  const [stack, part, ...others] = args;
  if (!stack || stack.startsWith('-') || others.length > 0) throw new UsageError(usage);
  const client = new SQSClient({ maxAttempts: 3 });
  const queues = await listDeadLetterQueues(client, stack);
  if (queues.length === 0) throw new UsageError(`The stack ${stack} has no dead-letter queues here.`);
  if (!part) {
    for (const { name, messages } of queues) console.log(`${String(messages).padStart(7)}  ${name}`);
    return;
  }
  const [queue, ...more] = queues.filter(({ name }) => name.includes(part));
  if (!queue || more.length > 0) {
    throw new UsageError(`${queue ? 'Several queues match' : 'No queue matches'} "${part}". ${usage}`);
  }
  await redrive(client, queue);
});

interface DeadLetterQueue {
  name: string;
  arn: string;
  messages: number;
}

async function listDeadLetterQueues(client: SQSClient, stack: string): Promise<DeadLetterQueue[]> {
  const { QueueUrls = [] } = await client.send(
    new ListQueuesCommand({ QueueNamePrefix: `${stack}-`, MaxResults: 1_000 }),
  );
  const dead = QueueUrls.filter((url) => url.includes('DeadLetters'));
  return Promise.all(
    dead.map(async (QueueUrl) => {
      const AttributeNames = ['QueueArn', 'ApproximateNumberOfMessages'] as const;
      const { Attributes = {} } = await client.send(
        new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [...AttributeNames] }),
      );
      const name = QueueUrl.slice(QueueUrl.lastIndexOf('/') + 1);
      return { name, arn: Attributes.QueueArn ?? '', messages: Number(Attributes.ApproximateNumberOfMessages) };
    }),
  );
}

async function redrive(client: SQSClient, { name, arn, messages }: DeadLetterQueue): Promise<void> {
  if (messages === 0) {
    console.log(`${name} is empty.`);
    return;
  }
  try {
    await client.send(new StartMessageMoveTaskCommand({ SourceArn: arn }));
  } catch (error) {
    const { name: code, message } = error as SQSServiceException;
    throw new UsageError(`SQS did not move the messages of ${name} (${code}): ${message}`);
  }
  console.log(`SQS moves about ${messages} messages of ${name} back to their queues.`);
}
