// AWS's own clients against the local endpoint. The SDK is always here; the `aws` command line runs where it is installed.
import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CognitoIdentityProviderClient, ListUserPoolsCommand } from '@aws-sdk/client-cognito-identity-provider';
import { DynamoDBClient, ListBackupsCommand } from '@aws-sdk/client-dynamodb';
import { KMSClient, ListAliasesCommand, ListKeysCommand } from '@aws-sdk/client-kms';
import { CreateBucketCommand, ListBucketsCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { CreateTopicCommand, SNSClient } from '@aws-sdk/client-sns';
import { stackName, toStackNames } from '../../tools/build/local-build.ts';
import { type Service, startService } from '../support/service.ts';
import { signAwsCall } from '../support/signed-aws-call.ts';

const run = promisify(execFile);

const isInstalled = (() => {
  try {
    execFileSync('aws', ['--version'], { stdio: 'pipe' });
    return true;
  } catch {
    process.stderr.write('The aws command line is not installed: skipping its tests.\n');
    return false;
  }
})();

const listResources = async (name: string) =>
  (await query('cloudformation', { Action: 'ListStackResources', StackName: name })).xml;

let service: Service;
const names = { bucket: '', queueUrl: '', table: '' };
beforeAll(async () => {
  service = await startService();
  const lists = await Promise.all(toStackNames(stackName).map(listResources));
  const find = (type: string, name: string) =>
    new RegExp(`<PhysicalResourceId>([^<]*${name})</PhysicalResourceId><ResourceType>${type}<`).exec(
      lists.join(),
    )?.[1] ?? '';
  names.bucket = find('AWS::S3::Bucket', 'listsnapshots\\w+');
  names.table = find('AWS::DynamoDB::Table', 'Records[0-9A-F]{8}');
  // No function receives from a dead-letter queue.
  names.queueUrl = find('AWS::SQS::Queue', 'DeadLetters\\w+');
});
afterAll(() => {
  for (const client of clients) client.destroy();
  return service.stop();
});

const clients: { destroy(): void }[] = [];
function connect<Client extends { destroy(): void }>(
  Type: new (options: object) => Client,
  credentials = service.awsCredentials,
): Client {
  const client = new Type({ endpoint: service.awsUrl, region: 'us-east-1', credentials, maxAttempts: 1 });
  clients.push(client);
  return client;
}

/** Calls a service with the query protocol: a form in, XML out. */
async function query(
  signingName: string,
  form: Record<string, string>,
  as: Pick<Service, 'awsUrl' | 'awsCredentials'> = service,
) {
  const body = new URLSearchParams(form).toString();
  const headers = { ...signAwsCall(as, signingName, '', body), 'content-type': 'application/x-www-form-urlencoded' };
  const response = await fetch(service.awsUrl, { method: 'POST', headers, body });
  return { status: response.status, type: response.headers.get('content-type'), xml: await response.text() };
}

async function post(signingName: string, target: string, body: string, path = '/') {
  const headers = signAwsCall(service, signingName, target, body, path);
  const response = await fetch(service.awsUrl + path, { method: 'POST', headers, body });
  return { status: response.status, body: await response.json() };
}

describe('AWS clients', () => {
  it('list user pools and keys', async () => {
    const { UserPools } = await connect(CognitoIdentityProviderClient).send(
      new ListUserPoolsCommand({ MaxResults: 1 }),
    );
    expect(UserPools).toMatchObject([{ Id: expect.stringMatching(/^us-east-1_/), Name: 'Incident Service' }]);
    const { Keys } = await connect(KMSClient).send(new ListKeysCommand({}));
    expect(Keys?.map(({ KeyArn }) => KeyArn)).toContainEqual(expect.stringMatching(/^arn:aws:kms:/));
  });

  it('read the identity of the caller', async () => {
    const { status, xml } = await query('sts', { Action: 'GetCallerIdentity' });
    expect(status).toBe(200);
    expect(xml).toContain('<Arn>arn:aws:iam::000000000000:user/operator</Arn>');
  });

  it('read the outputs and resources of the stack', async () => {
    const [data = '', main = ''] = toStackNames(stackName);
    const stacks = await query('cloudformation', { Action: 'DescribeStacks', StackName: main });
    expect(stacks.xml).toContain(`<OutputKey>ApiUrl</OutputKey><OutputValue>${service.baseUrl}</OutputValue>`);
    expect(await listResources(main)).toContain('<ResourceType>AWS::ApiGateway::RestApi</ResourceType>');
    expect(await listResources(data)).toContain(`<PhysicalResourceId>${names.bucket}</PhysicalResourceId>`);
    // As in the first release, which had one stack: data folders keep their tables.
    expect(names.table).toBe('incidents-local-Records8CFF6E77');
    const all = await query('cloudformation', { Action: 'ListStacks' });
    expect(all.xml.match(/<StackName>/g)).toHaveLength(6);
    const absent = await query('cloudformation', { Action: 'ListStackResources', StackName: 'absent' });
    expect(absent).toMatchObject({ status: 400, xml: expect.stringContaining('<Code>ValidationError</Code>') });
  });

  it.each([
    ['an unsupported operation', 'sts', { Action: 'AssumeRole' }, 400, 'InvalidAction'],
    ['an unsupported service', 'iam', { Action: 'ListRoles' }, 400, 'InvalidAction'],
    ['an unknown stack', 'cloudformation', { Action: 'DescribeStacks', StackName: 'x' }, 400, 'ValidationError'],
  ])('get %s of the query protocol as XML', async (_, signingName, form, status, code) => {
    const response = await query(signingName, form);
    expect(response).toMatchObject({ status, type: 'text/xml' });
    expect(response.xml).toContain(`<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>`);
  });

  it('get an unknown access key as XML where the protocol is XML', async () => {
    const awsCredentials = { accessKeyId: 'AKIAUNKNOWN', secretAccessKey: 'x' };
    const response = await query('sts', { Action: 'GetCallerIdentity' }, { awsUrl: service.awsUrl, awsCredentials });
    expect(response).toMatchObject({ status: 403, xml: expect.stringContaining('<Code>InvalidClientTokenId</Code>') });
    const s3 = connect(S3Client, awsCredentials);
    await expect(s3.send(new ListBucketsCommand({}))).rejects.toMatchObject({ name: 'InvalidAccessKeyId' });
  });

  it('get typed errors for unsupported operations', async () => {
    const unknown = { name: 'UnknownOperationException', $metadata: { httpStatusCode: 400 } };
    await expect(connect(KMSClient).send(new ListAliasesCommand({}))).rejects.toMatchObject(unknown);
    await expect(connect(DynamoDBClient).send(new ListBackupsCommand({}))).rejects.toMatchObject(unknown);
    const topic = new CreateTopicCommand({ Name: 'x' });
    await expect(connect(SNSClient).send(topic)).rejects.toMatchObject({ name: 'InvalidAction' });
    const bucket = new CreateBucketCommand({ Bucket: 'another' });
    await expect(connect(S3Client).send(bucket)).rejects.toMatchObject({ name: 'NotImplemented' });
  });

  it.each([
    ['dynamodb', 'DynamoDB_20120810.GetItem', '{'],
    ['sqs', 'AmazonSQS.ListQueues', '[]'],
    ['kms', 'TrentService.ListKeys', '"x"'],
    ['cognito-idp', 'AWSCognitoIdentityProviderService.ListUserPools', '1'],
    ['states', 'AWSStepFunctions.ListStateMachines', 'nul'],
    ['apigateway', '', '{', '/apikeys'],
    ['dynamodb', 'DynamoDB_20120810.Query', '{"TableName":"x","KeyConditionExpression":1}'],
    ['dynamodb', 'DynamoDB_20120810.TransactWriteItems', '{"TransactItems":[null]}'],
    ['sqs', 'AmazonSQS.SendMessageBatch', '{"QueueUrl":"x","Entries":[null]}'],
    ['states', 'AWSStepFunctions.ListExecutions', '{"statusFilter":{}}'],
  ])('get 400 from %s for the malformed body of %s: %s', async (signingName, target, body, path = '/') => {
    const response = await post(signingName, target, body, path);
    expect(response).toMatchObject({ status: 400, body: { __type: expect.stringMatching(/SerializationException$/) } });
  });

  it('get 400 for a path that is not correctly encoded', async () => {
    expect((await post('lambda', '', '{}', '/2015-03-31/functions/%zz/invocations')).status).toBe(400);
  });
});

(isInstalled ? describe : describe.skip)('the aws command line', () => {
  async function runAws(...args: string[]): Promise<string> {
    const credentials = {
      AWS_ACCESS_KEY_ID: service.awsCredentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: service.awsCredentials.secretAccessKey,
      AWS_DEFAULT_REGION: 'us-east-1',
    };
    const { stdout } = await run('aws', ['--endpoint-url', service.awsUrl, '--output', 'json', ...args], {
      env: { ...process.env, ...credentials },
    });
    return stdout.trim();
  }

  // biome-ignore lint/suspicious/noExplicitAny: each test checks the fields that it needs.
  async function aws(...args: string[]): Promise<any> {
    const output = await runAws(...args);
    return output === '' ? undefined : JSON.parse(output);
  }

  it('writes and queries a table, and prints AWS’s error codes', async () => {
    const item = { pk: { S: 'cli' }, sk: { S: '#' }, amount: { N: '12.50' } };
    await aws('dynamodb', 'put-item', '--table-name', names.table, '--item', JSON.stringify(item));
    const values = ['--expression-attribute-values', '{":p":{"S":"cli"}}'];
    const [found] = await Promise.all([
      aws('dynamodb', 'query', '--table-name', names.table, '--key-condition-expression', 'pk = :p', ...values),
      expect(aws('dynamodb', 'describe-table', '--table-name', 'nothing')).rejects.toThrow(/ResourceNotFoundException/),
    ]);
    expect(found.Items).toEqual([{ ...item, amount: { N: '12.5' } }]);
  });

  it('sends and receives a message', async () => {
    const sent = await aws('sqs', 'send-message', '--queue-url', names.queueUrl, '--message-body', 'hello');
    const { Messages } = await aws('sqs', 'receive-message', '--queue-url', names.queueUrl);
    expect(Messages[0]).toMatchObject({ MessageId: sent.MessageId, Body: 'hello', MD5OfBody: sent.MD5OfMessageBody });
  });

  it('copies, lists and deletes objects whose keys need encoding', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'aws-'));
    const key = 'a folder/50% + ü.txt';
    try {
      writeFileSync(join(folder, 'file'), 'hello');
      await runAws('s3', 'cp', join(folder, 'file'), `s3://${names.bucket}/${key}`);
      const [listed, { Contents }] = await Promise.all([
        runAws('s3', 'ls', `s3://${names.bucket}/a folder/`),
        aws('s3api', 'list-objects-v2', '--bucket', names.bucket, '--prefix', 'a folder/'),
      ]);
      expect(listed).toMatch(/ 5 50% \+ ü\.txt$/);
      expect(Contents).toMatchObject([{ Key: key, Size: 5 }]);
      await runAws('s3', 'rm', '--recursive', `s3://${names.bucket}/a folder/`);
      const remaining = new ListObjectsV2Command({ Bucket: names.bucket, Prefix: 'a folder/' });
      expect((await connect(S3Client).send(remaining)).KeyCount).toBe(0);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('lists functions and reads the identity and the stack', async () => {
    const [{ Functions }, { Arn }, { Stacks }] = await Promise.all([
      aws('lambda', 'list-functions'),
      aws('sts', 'get-caller-identity'),
      aws('cloudformation', 'describe-stacks'),
    ]);
    // More than one page of 50.
    expect(Functions.length).toBeGreaterThan(50);
    expect(Arn).toMatch(/user\/operator$/);
    expect(Stacks[0].StackStatus).toBe('CREATE_COMPLETE');
  });
});
