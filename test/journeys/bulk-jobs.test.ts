import { DynamoDBClient, GetItemCommand, PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { ListQueuesCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { type Api, anIncident, getApi } from '../support/incidents.ts';
import { waitForJob } from '../support/jobs.ts';
import { type Service, startService } from '../support/service.ts';
import { findRecordsTable } from '../support/tables.ts';

const asOperator = (service: Service) => ({
  endpoint: service.awsUrl,
  region: 'us-east-1',
  credentials: service.awsCredentials,
});

async function submitUpdate(api: Api, ids: readonly string[]) {
  const { body } = await api.post('/incidents/bulk', { operation: 'update', ids, fields: { work_note: 'Seen.' } });
  return body.job_id as string;
}

async function noteCounts(api: Api, ids: readonly string[]): Promise<number[]> {
  return Promise.all(ids.map(async (id) => (await api.get(`/incidents/${id}`)).body.work_notes_count));
}

async function someIncidents(service: Service, api: Api, count: number): Promise<string[]> {
  const { body } = await api.post('/incidents/bulk', {
    operation: 'create',
    records: Array.from({ length: count }, () => ({ short_description: 'The badge reader does not open' })),
  });
  const job = await waitForJob(service, api, body.job_id);
  return job.results.map(({ id }: { id: string }) => id);
}

describe('bulk jobs', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  it('apply each record once, even if the message is delivered many times concurrently', async () => {
    const agent = await getApi(service, 'agent');
    const { body: first } = await anIncident(agent);
    const ids = [first.id, ...(await someIncidents(service, agent, 30))];
    const queues = new SQSClient(asOperator(service));
    const { QueueUrls } = await queues.send(new ListQueuesCommand({}));
    const QueueUrl = QueueUrls!.find((url) => url.includes('BulkJobsQueue'))!;
    const jobId = await submitUpdate(agent, ids);
    const MessageBody = JSON.stringify({ job_id: jobId });
    await Promise.all(Array.from({ length: 8 }, () => queues.send(new SendMessageCommand({ QueueUrl, MessageBody }))));
    const job = await waitForJob(service, agent, jobId);
    await service.advance('1m');
    queues.destroy();
    expect(job).toMatchObject({ status: 'completed', succeeded: 31 });
    expect(await noteCounts(agent, ids)).toEqual(ids.map(() => 1));
    expect((await agent.get(`/jobs/${jobId}`)).body).toEqual(job);
  });

  it('finish exactly once, even if the server is killed', async () => {
    const first = await startService();
    const before = await getApi(first, 'agent');
    const ids = await someIncidents(first, before, 60);
    const jobId = await submitUpdate(before, ids);
    await first.kill();
    const second = await startService({ dataFolder: first.dataFolder });
    const agent = await getApi(second, 'agent');
    for (let look = 0; look < 10 && !(await agent.get(`/jobs/${jobId}`)).body.finished_at; look++) {
      await second.advance('1m');
    }
    expect((await agent.get(`/jobs/${jobId}`)).body).toMatchObject({ status: 'completed', succeeded: 60 });
    expect(await noteCounts(agent, ids)).toEqual(ids.map(() => 1));
    await second.stop();
  });

  it('run even if their message was never sent', async () => {
    const agent = await getApi(service, 'agent');
    const done = await submitUpdate(agent, [(await anIncident(agent)).body.id]);
    await waitForJob(service, agent, done);
    const lost = await storeWithoutMessage(service, done);
    expect((await agent.get(`/jobs/${lost}`)).body.status).toBe('queued');
    await service.advance('11m');
    expect((await agent.get(`/jobs/${lost}`)).body).toMatchObject({ status: 'completed', succeeded: 1 });
  });
});

/** A job as it is when the server stops between storing it and sending its message. */
async function storeWithoutMessage(service: Service, model: string): Promise<string> {
  const client = new DynamoDBClient(asOperator(service));
  const TableName = await findRecordsTable(client);
  const jobId = 'job_0123456789ABCDEFGHJKMNPQRS';
  const Key = { pk: { S: model }, sk: { S: '#' } };
  const { Item } = await client.send(new GetItemCommand({ TableName, Key }));
  const due_at = new Date().toISOString();
  const job = {
    ...JSON.parse(Item!.job!.S!),
    job_id: jobId,
    status: 'queued',
    started_at: null,
    finished_at: null,
    due_at,
    revision: 1,
  };
  const { Items } = await client.send(
    new QueryCommand({
      TableName,
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :source)',
      ExpressionAttributeValues: { ':pk': { S: model }, ':source': { S: 'source#' } },
    }),
  );
  const queued = {
    ...Item!,
    pk: { S: jobId },
    revision: { N: '1' },
    job: { S: JSON.stringify(job) },
    due_pk: { S: 'job' },
    due_sk: { S: `${due_at}#${jobId}` },
  };
  for (const each of [queued, ...Items!.map((item) => ({ ...item, pk: { S: jobId } }))]) {
    await client.send(new PutItemCommand({ TableName, Item: each }));
  }
  client.destroy();
  return jobId;
}
