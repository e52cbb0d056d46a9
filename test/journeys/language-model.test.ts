import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BedrockRuntimeClient, ConverseCommand, ThrottlingException } from '@aws-sdk/client-bedrock-runtime';
import { type Service, startService } from '../support/service.ts';

let llm: Server;
let service: Service;
let client: BedrockRuntimeClient;

beforeAll(async () => {
  llm = createServer((request, response) => {
    request.resume();
    const choices = [{ message: { role: 'assistant', content: `I am at ${request.url}.` }, finish_reason: 'stop' }];
    response.end(JSON.stringify({ choices, usage: { prompt_tokens: 3, completion_tokens: 4 } }));
  });
  await new Promise<void>((resolve) => llm.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(llm.address() as AddressInfo).port}/v1`;
  service = await startService({ args: ['--empty', '--llm', url, '--llm-model', 'tiny'] });
  const { awsUrl: endpoint, awsCredentials: credentials } = service;
  client = new BedrockRuntimeClient({ endpoint, region: 'us-east-1', credentials, maxAttempts: 1 });
});
afterAll(async () => {
  client.destroy();
  await service.stop();
  llm.closeAllConnections();
  llm.close();
});

const converse = () =>
  client.send(new ConverseCommand({ modelId: 'any.model', messages: [{ role: 'user', content: [{ text: 'Hi' }] }] }));

const faults = (init: RequestInit) =>
  fetch(`${service.baseUrl}/_local/faults`, { headers: { 'content-type': 'application/json' }, ...init });

describe('npm start -- --llm', () => {
  it('uses the server instead of Bedrock, and prints its name', async () => {
    expect(await converse()).toMatchObject({
      output: { message: { content: [{ text: 'I am at /v1/chat/completions.' }] } },
      usage: { totalTokens: 7 },
      trace: { promptRouter: { invokedModelId: 'openai-compatible.tiny' } },
    });
    expect(service.output()).toContain('tiny');
  });

  it('injects faults', async () => {
    const body = JSON.stringify({ service: 'bedrock', error: 'ThrottlingException', times: 1 });
    expect((await faults({ method: 'POST', body })).status).toBe(200);
    await expect(converse()).rejects.toBeInstanceOf(ThrottlingException);
    await converse();
    await faults({
      method: 'POST',
      body: JSON.stringify({ service: 'bedrock', error: 'ServiceUnavailableException' }),
    });
    expect(await (await faults({})).json()).toEqual({ bedrock: { error: 'ServiceUnavailableException' } });
    await faults({ method: 'DELETE' });
    await converse();
  });

  it.each([
    {},
    { service: 'bedrock' },
    { service: 'bedrock', error: 'A', times: 0 },
    { service: 'b', error: 'A', x: 1 },
  ])('rejects %j as a fault', async (command) => {
    expect((await faults({ method: 'POST', body: JSON.stringify(command) })).status).toBe(400);
  });
});
