import {
  GetExecutionHistoryCommand,
  ListExecutionsCommand,
  ListStateMachinesCommand,
  SFNClient,
} from '@aws-sdk/client-sfn';
import { ListQueuesCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { type Api, anIncident, getApi } from '../support/incidents.ts';
import { waitForJob } from '../support/jobs.ts';
import { type Service, startService } from '../support/service.ts';
import { until } from '../support/until.ts';

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

/** Makes all calls of a function to an AWS service fail until it is called without a fault. */
async function setFault({ baseUrl }: Service, fault?: { service: string; caller: string; operation?: string }) {
  const error = 'AccessDeniedException';
  const headers = { 'content-type': 'application/json' };
  const post = { method: 'POST', headers, body: JSON.stringify({ error, ...fault }) };
  expect((await fetch(`${baseUrl}/_local/faults`, fault ? post : { method: 'DELETE' })).ok).toBe(true);
}

describe('bulk jobs', () => {
  let service: Service;
  let agent: Api;
  let machines: SFNClient;
  let stateMachineArn: string;
  beforeAll(async () => {
    service = await startService();
    agent = await getApi(service, 'agent');
    machines = new SFNClient(asOperator(service));
    const { stateMachines = [] } = await machines.send(new ListStateMachinesCommand({}));
    stateMachineArn = stateMachines.find(({ name }) => name?.endsWith('-run-jobs'))!.stateMachineArn!;
  });
  afterAll(async () => {
    machines.destroy();
    await service.stop();
  });

  const findExecution = async (jobId: string) => {
    const { executions = [] } = await machines.send(new ListExecutionsCommand({ stateMachineArn }));
    return executions.find(({ name }) => name === jobId);
  };

  it('apply each record once, even if their messages are delivered many times concurrently', async () => {
    const { body: first } = await anIncident(agent);
    const ids = [first.id, ...(await someIncidents(service, agent, 60))];
    const queues = new SQSClient(asOperator(service));
    const { QueueUrls } = await queues.send(new ListQueuesCommand({}));
    const QueueUrl = QueueUrls!.find((url) => url.includes('BulkJobsQueue'))!;
    const jobId = await submitUpdate(agent, ids);
    // The token of a task that has ended.
    const task = [`${stateMachineArn.replace(':stateMachine:', ':execution:')}:${jobId}`, 9, 'Process a chunk', []];
    const token = Buffer.from(JSON.stringify(task)).toString('base64url');
    const duplicates = [
      { job_id: jobId },
      { job_id: jobId, first: 0, end: 50, token },
      { job_id: jobId, first: 50, end: 61, token },
    ];
    const sent = [...duplicates, ...duplicates, ...duplicates].map((message) =>
      queues.send(new SendMessageCommand({ QueueUrl, MessageBody: JSON.stringify(message) })),
    );
    await Promise.all(sent);
    const job = await waitForJob(service, agent, jobId);
    await service.advance('1m');
    queues.destroy();
    expect(job).toMatchObject({ status: 'completed', succeeded: 61 });
    expect(await noteCounts(agent, ids)).toEqual(ids.map(() => 1));
    expect((await agent.get(`/jobs/${jobId}`)).body).toEqual(job);
  });

  it('are one execution each, which shows the counts of every chunk', async () => {
    const ids = await someIncidents(service, agent, 60);
    const jobId = await submitUpdate(agent, [...ids, 'INC0000000']);
    await waitForJob(service, agent, jobId);
    await service.advance('1s', []);
    const { executionArn, status } = (await findExecution(jobId))!;
    expect(status).toBe('SUCCEEDED');
    const { events = [] } = await machines.send(new GetExecutionHistoryCommand({ executionArn }));
    expect(JSON.parse(events.at(-1)!.executionSucceededEventDetails!.output!)).toEqual([
      { succeeded: 50, failed: 0 },
      { succeeded: 10, failed: 1 },
    ]);
    expect(events.filter(({ type }) => type?.endsWith('StateEntered'))).toHaveLength(3);
  });

  it('finish exactly once, even if the server is killed', async () => {
    const first = await startService();
    const before = await getApi(first, 'agent');
    const ids = await someIncidents(first, before, 60);
    const jobId = await submitUpdate(before, ids);
    await first.kill();
    const second = await startService({ dataFolder: first.dataFolder });
    const api = await getApi(second, 'agent');
    await until(
      async () => (await api.get(`/jobs/${jobId}`)).body.finished_at,
      (finishedAt) => finishedAt,
      () => second.advance('1m', []),
    );
    expect((await api.get(`/jobs/${jobId}`)).body).toMatchObject({ status: 'completed', succeeded: 60 });
    expect(await noteCounts(api, ids)).toEqual(ids.map(() => 1));
    await second.stop();
  });

  it('run even if the request could not start them', async () => {
    const { body: incident } = await anIncident(agent);
    await setFault(service, { service: 'states', caller: 'incidents-local--bulk-incidents' });
    const jobId = await submitUpdate(agent, [incident.id]);
    await setFault(service);
    await service.advance('50s', []);
    expect((await agent.get(`/jobs/${jobId}`)).body.status).toBe('queued');
    await service.advance('10s', []);
    expect((await agent.get(`/jobs/${jobId}`)).body).toMatchObject({ status: 'completed', succeeded: 1 });
  });

  it('end after many failed retries, with a result for every record and a failed execution', async () => {
    const ids = await someIncidents(service, agent, 30);
    await setFault(service, {
      service: 'dynamodb',
      operation: 'TransactWriteItems',
      caller: 'incidents-local--run-jobs',
    });
    const jobId = await submitUpdate(agent, ids);
    await service.advance('14m', []);
    expect((await agent.get(`/jobs/${jobId}`)).body).toMatchObject({ status: 'queued', processed: 0 });
    await service.advance('3m', []);
    await setFault(service);
    await service.advance('10m', []);
    const { body: job } = await agent.get(`/jobs/${jobId}`);
    expect(job).toMatchObject({ status: 'failed', processed: 30, failed: 30 });
    expect(job.results[29].error).toEqual({ code: 'internal_error', detail: 'The record could not be processed.' });
    expect(await noteCounts(agent, ids)).toEqual(ids.map(() => 0));
    const { executionArn, status } = (await findExecution(jobId))!;
    expect(status).toBe('FAILED');
    const { events = [] } = await machines.send(new GetExecutionHistoryCommand({ executionArn, reverseOrder: true }));
    expect(events[0]!.executionFailedEventDetails).toEqual({
      error: 'RecordsFailed',
      cause: `30 records of ${jobId} have the result internal_error`,
    });
  });
});
