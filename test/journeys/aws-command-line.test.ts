import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';
import { type Service, startService } from '../support/service.ts';
import { recordsTableName } from '../support/tables.ts';

const run = promisify(execFile);

// The `aws` command line is not part of this project. Where it is installed, it is the independent client that shows
// that the local endpoints speak AWS's protocols and not a dialect of our own.
const installed = (() => {
  try {
    execFileSync('aws', ['--version'], { stdio: 'pipe' });
    return true;
  } catch {
    process.stderr.write('The aws command line is not installed: its tests are left out.\n');
    return false;
  }
})();

let service: Service;
beforeAll(async () => {
  if (installed) service = await startService();
});
afterAll(() => service?.stop());

// biome-ignore lint/suspicious/noExplicitAny: the command line's answers are AWS's, and each test says what it expects.
async function aws(...args: string[]): Promise<any> {
  const credentials = {
    AWS_ACCESS_KEY_ID: service.awsCredentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: service.awsCredentials.secretAccessKey,
    AWS_DEFAULT_REGION: 'us-east-1',
  };
  const { stdout } = await run('aws', ['--endpoint-url', service.awsUrl, '--output', 'json', ...args], {
    env: { ...process.env, ...credentials },
  });
  return stdout.trim() === '' ? undefined : JSON.parse(stdout);
}

describe('the aws command line', () => {
  if (!installed) {
    it('is left out, because it is not installed here', () => expect(service).toBeUndefined());
    return;
  }

  it('writes, reads and queries a table', async () => {
    const { TableNames } = await aws('dynamodb', 'list-tables');
    const table = TableNames.find((name: string) => recordsTableName.test(name));
    const item = { pk: { S: 'cli' }, sk: { S: '#' }, amount: { N: '12.50' } };
    await aws('dynamodb', 'put-item', '--table-name', table, '--item', JSON.stringify(item));
    const read = await aws(
      'dynamodb',
      'get-item',
      '--table-name',
      table,
      '--key',
      JSON.stringify({ pk: item.pk, sk: item.sk }),
    );
    expect(read.Item).toEqual({ ...item, amount: { N: '12.5' } });
    const found = await aws(
      'dynamodb',
      'query',
      '--table-name',
      table,
      '--key-condition-expression',
      'pk = :p',
      '--expression-attribute-values',
      '{":p":{"S":"cli"}}',
    );
    expect(found.Count).toBe(1);
  });

  it('is told what is wrong in the words of AWS', async () => {
    await expect(aws('dynamodb', 'describe-table', '--table-name', 'nothing')).rejects.toThrow(
      /ResourceNotFoundException/,
    );
  });

  it('sends, receives and deletes a message', async () => {
    const { QueueUrls } = await aws('sqs', 'list-queues');
    // No function receives from a dead-letter queue.
    const QueueUrl = QueueUrls.find((url: string) => url.includes('DeadLetters'));
    const sent = await aws('sqs', 'send-message', '--queue-url', QueueUrl, '--message-body', 'hello');
    const { Messages } = await aws('sqs', 'receive-message', '--queue-url', QueueUrl);
    expect(Messages[0]).toMatchObject({ MessageId: sent.MessageId, Body: 'hello', MD5OfBody: sent.MD5OfMessageBody });
    await aws('sqs', 'delete-message', '--queue-url', QueueUrl, '--receipt-handle', Messages[0].ReceiptHandle);
    const { Attributes } = await aws(
      'sqs',
      'get-queue-attributes',
      '--queue-url',
      QueueUrl,
      '--attribute-names',
      'All',
    );
    expect(Attributes.ApproximateNumberOfMessages).toBe('0');
  });
});
