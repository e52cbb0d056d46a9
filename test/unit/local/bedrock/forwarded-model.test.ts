import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  AccessDeniedException,
  ModelErrorException,
  ModelTimeoutException,
  ResourceNotFoundException,
  ServiceUnavailableException,
  ThrottlingException,
} from '@aws-sdk/client-bedrock-runtime';
import { forwardedModel, toCompletionsUrl } from '../../../../local/bedrock/forwarded-model.ts';
import { anEndpoint, type BedrockEndpoint, says } from './an-endpoint.ts';

// biome-ignore lint/suspicious/noExplicitAny: requests have any form.
let received: { path: string | undefined; authorization: string | undefined; body: any }[];
let answer: { status: number; body: unknown } | 'silence';
let server: Server;
let url: string;
let bedrock: BedrockEndpoint;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    received.push({ path: request.url, authorization: request.headers.authorization, body: JSON.parse(text) });
    if (answer === 'silence') return;
    const body = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body);
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  bedrock = await anEndpoint(forwardedModel({ url, model: 'small:8b', apiKey: 'key' }));
});
afterAll(async () => {
  await bedrock.close();
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  received = [];
});

const completion = (message: object, finish_reason = 'stop') => ({
  status: 200,
  body: { choices: [{ message, finish_reason }], usage: { prompt_tokens: 12, completion_tokens: 5 } },
});
const tools = [
  { toolSpec: { name: 'report', description: 'Reports.', inputSchema: { json: { type: 'object', properties: {} } } } },
];

describe('forwardedModel', () => {
  it('translates a conversation to chat completions and back', async () => {
    answer = completion({ role: 'assistant', content: 'Hello.' });
    const output = await bedrock.converse({
      system: [{ text: 'Rules.' }],
      messages: says('Hi'),
      inferenceConfig: { maxTokens: 100, temperature: 0 },
    });
    expect(received).toEqual([
      {
        path: '/v1/chat/completions',
        authorization: 'Bearer key',
        body: {
          model: 'small:8b',
          messages: [
            { role: 'system', content: 'Rules.' },
            { role: 'user', content: 'Hi' },
          ],
          max_tokens: 100,
          temperature: 0,
          stream: false,
        },
      },
    ]);
    expect(output).toMatchObject({
      output: { message: { role: 'assistant', content: [{ text: 'Hello.' }] } },
      stopReason: 'end_turn',
      usage: { inputTokens: 12, outputTokens: 5, totalTokens: 17 },
      trace: { promptRouter: { invokedModelId: 'openai-compatible.small:8b' } },
    });
  });

  it('translates tool calls', async () => {
    const call = { id: 'c1', type: 'function', function: { name: 'report', arguments: '{"count": 3}' } };
    answer = completion({ role: 'assistant', content: null, tool_calls: [call] }, 'tool_calls');
    const output = await bedrock.converse({
      toolConfig: { tools, toolChoice: { tool: { name: 'report' } } } as never,
    });
    expect(received[0]!.body).toMatchObject({
      tools: [
        { type: 'function', function: { name: 'report', description: 'Reports.', parameters: { type: 'object' } } },
      ],
      tool_choice: { type: 'function', function: { name: 'report' } },
    });
    expect(output.stopReason).toBe('tool_use');
    expect(output.output!.message!.content).toEqual([
      { toolUse: { toolUseId: 'c1', name: 'report', input: { count: 3 } } },
    ]);
  });

  it('translates tool results', async () => {
    answer = completion({ content: 'Three.' });
    await bedrock.converse({
      toolConfig: { tools } as never,
      messages: [
        ...says('Count')!,
        { role: 'assistant', content: [{ toolUse: { toolUseId: 'c1', name: 'report', input: { a: 1 } } }] },
        { role: 'user', content: [{ toolResult: { toolUseId: 'c1', content: [{ json: { count: 3 } }] } }] },
      ],
    });
    expect(received[0]!.body.tool_choice).toBe('auto');
    expect(received[0]!.body.messages.slice(1)).toEqual([
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'report', arguments: '{"a":1}' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: '{"count":3}' },
    ]);
  });

  it.each([
    ['plain', '{"count":3}'],
    ['in a code block', 'Here it is:\n```json\n{"count":3}\n```'],
    ['after its thoughts', '<think>{ maybe 4 }</think>\n{"count":3}'],
  ])('takes JSON that a model writes instead of using the tool: %s', async (_name, content) => {
    answer = completion({ content });
    const toolConfig = { tools, toolChoice: { tool: { name: 'report' } } };
    const { output, stopReason } = await bedrock.converse({ messages: says('Hi'), toolConfig });
    expect(stopReason).toBe('tool_use');
    expect(output!.message!.content).toEqual([
      { toolUse: { toolUseId: 'tooluse_0', name: 'report', input: { count: 3 } } },
    ]);
  });

  it('hides the thoughts of a model', async () => {
    answer = completion({ content: '<think>Greet them.</think>\n\nHello.' });
    const { output } = await bedrock.converse({ messages: says('Hi') });
    expect(output!.message!.content).toEqual([{ text: 'Hello.' }]);
  });

  it.each([
    ['is busy', { status: 429, body: 'slow down' }, ThrottlingException],
    ['is down', { status: 500, body: 'oops' }, ServiceUnavailableException],
    ['rejects the key', { status: 401, body: { error: { message: 'invalid api key' } } }, AccessDeniedException],
    ['denies the model', { status: 403, body: 'forbidden' }, AccessDeniedException],
    [
      'does not know the model',
      { status: 404, body: { error: { message: 'no such model' } } },
      ResourceNotFoundException,
    ],
    ['rejects the request', { status: 400, body: 'too long' }, ModelErrorException],
    ['returns no JSON', { status: 200, body: '<html>' }, ModelErrorException],
    ['returns an empty message', completion({ content: '' }), ModelErrorException],
  ])('throws an error of Bedrock when the server %s', async (_name, given, error) => {
    answer = given;
    await expect(bedrock.converse({})).rejects.toBeInstanceOf(error);
  });

  it('times out when the server does not respond', async () => {
    answer = 'silence';
    const impatient = await anEndpoint(forwardedModel({ url, model: 'small:8b', timeoutMs: 50 }));
    await expect(impatient.converse({})).rejects.toBeInstanceOf(ModelTimeoutException);
    await impatient.close();
  });

  it('reports an unreachable server', async () => {
    const unreachable = await anEndpoint(forwardedModel({ url: 'http://127.0.0.1:9', model: 'a' }));
    await expect(unreachable.converse({})).rejects.toBeInstanceOf(ServiceUnavailableException);
    await unreachable.close();
  });

  it.each(['http://a:1', 'http://a:1/', 'http://a:1/v1', 'http://a:1/v1/chat/completions'])(
    'finds the API at %s',
    (url) => {
      expect(toCompletionsUrl(url)).toBe('http://a:1/v1/chat/completions');
    },
  );
});
