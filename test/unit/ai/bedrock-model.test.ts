import {
  type ConverseCommandInput,
  type ConverseCommandOutput,
  ServiceUnavailableException,
  ThrottlingException,
  ValidationException,
} from '@aws-sdk/client-bedrock-runtime';
import * as z from 'zod';
import {
  createBedrockModel,
  createDeployedModel,
  parseModelIds,
  toConverseInput,
} from '../../../lambdas/ai/model/bedrock-model.ts';
import {
  type ModelRequest,
  type RunnableTool,
  requestStructuredAnswer,
  runToolLoop,
  startDeadline,
  toUserMessage,
} from '../../../lambdas/ai/model/language-model.ts';
import { ServiceError } from '../../../lambdas/platform/service-error.ts';
import { getLanguageModels } from '../../../lib/language-models.ts';
import { hideMetrics } from '../../support/captured-lines.ts';

hideMetrics();

const modelIds = {
  'model-3-haiku': 'local.small',
  'model-3-sonnet': 'us.anthropic.claude-sonnet-5-5',
  'model-3-opus': 'a.large',
};
const request: ModelRequest = {
  model: 'model-3-haiku',
  system: 'Rules.',
  messages: [toUserMessage('Hi')],
  maxTokens: 100,
};
const problem = { message: 'account 123456789012', $metadata: {} };

type Scripted = Partial<ConverseCommandOutput> | Error | 'silence';

/** A model that returns these answers in turn and records its inputs. */
function createScriptedModel(...answers: Scripted[]) {
  const asked: ConverseCommandInput[] = [];
  const pauses: number[] = [];
  const send = (command: { input: ConverseCommandInput }, { abortSignal }: { abortSignal: AbortSignal }) => {
    const answer = answers[asked.length] ?? new Error('no scripted answer left');
    asked.push(command.input);
    if (answer instanceof Error) return Promise.reject(answer);
    if (answer !== 'silence') return Promise.resolve(answer);
    return new Promise((_, reject) => {
      abortSignal.addEventListener('abort', () => reject(Object.assign(new Error('aborted'), { name: 'AbortError' })));
    });
  };
  const client = { send } as never;
  const pause = async (attempt: number) => void pauses.push(attempt);
  return { converse: createBedrockModel({ client, modelIds, pause, log: () => {} }), asked, pauses };
}

function sayText(text: string): Partial<ConverseCommandOutput> {
  const usage = { inputTokens: 7, outputTokens: 3, totalTokens: 10 };
  return { output: { message: { role: 'assistant', content: [{ text }] } }, stopReason: 'end_turn', usage };
}

function useTool(name: string, input: object, toolUseId = 'use-1'): Partial<ConverseCommandOutput> {
  const content = [{ toolUse: { toolUseId, name, input: input as never } }];
  return { ...sayText(''), output: { message: { role: 'assistant', content } }, stopReason: 'tool_use' };
}

describe('createBedrockModel', () => {
  it('calls the model of the alias and returns its name', async () => {
    const { converse, asked } = createScriptedModel(sayText('Hello'));
    const answer = await converse({ ...request, model: 'model-3-sonnet' }, startDeadline());
    expect(answer).toMatchObject({
      text: 'Hello',
      modelUsed: modelIds['model-3-sonnet'],
      tokensUsed: 10,
      toolUses: [],
    });
    expect(asked[0]).toMatchObject({ modelId: modelIds['model-3-sonnet'], system: [{ text: 'Rules.' }] });
  });

  it('returns the model that a router chose', async () => {
    const { converse } = createScriptedModel({
      ...sayText('Hello'),
      trace: { promptRouter: { invokedModelId: 'b.other' } },
    });
    expect(await converse(request, startDeadline())).toMatchObject({ modelUsed: 'b.other' });
  });

  it.each([
    ['throttling', new ThrottlingException(problem)],
    ['an outage', new ServiceUnavailableException(problem)],
    ['a broken connection', Object.assign(new Error('reset'), { code: 'ECONNRESET' })],
  ])('tries again after %s, waiting longer each time', async (_name, error) => {
    const { converse, pauses } = createScriptedModel(error, error, sayText('Hello'));
    expect(await converse(request, startDeadline())).toMatchObject({ text: 'Hello' });
    expect(pauses).toEqual([1, 2]);
  });

  it.each([
    ['throttled', new ThrottlingException(problem), 'model_throttled'],
    ['down', new ServiceUnavailableException(problem), 'unavailable'],
  ])('returns 503 with Retry-After after three attempts while the model is %s', async (_name, error, code) => {
    const { converse, asked } = createScriptedModel(error, error, error);
    const failure = await converse(request, startDeadline()).catch((thrown: unknown) => thrown);
    expect(failure).toMatchObject({ code, status: 503, extra: { headers: { 'Retry-After': '10' } } });
    expect(String(failure)).not.toMatch(/123456789012|Bedrock|AWS/);
    expect(asked).toHaveLength(3);
  });

  it('times out without a response of the model', async () => {
    const { converse, asked } = createScriptedModel('silence', 'silence');
    await expect(converse(request, startDeadline(700))).rejects.toMatchObject({ code: 'unavailable' });
    expect(asked).toHaveLength(1);
  });

  it('rethrows internal errors', async () => {
    const error = new ValidationException(problem);
    const { converse, asked } = createScriptedModel(error);
    await expect(converse(request, startDeadline())).rejects.toBe(error);
    expect(asked).toHaveLength(1);
  });

  it('does not start without a model for every alias', () => {
    expect(() => parseModelIds('{"model-3-haiku": "a.small"}')).toThrow();
    expect(() => createDeployedModel()).toThrow('MODEL_IDS');
  });
});

describe('toConverseInput', () => {
  const tool = { name: 'report', description: 'Reports.', input: z.strictObject({ count: z.int() }) };
  const toShape = (modelId: string) => {
    const input = toConverseInput({ ...request, tools: [tool], mustUse: 'report' }, modelId);
    const { messages, toolConfig, ...shape } = input;
    expect(messages).toEqual(request.messages);
    expect(toolConfig!.tools).toHaveLength(1);
    return { ...shape, toolChoice: toolConfig!.toolChoice };
  };
  const forced = { tool: { name: 'report' } };
  const asked = [{ text: 'Rules.\nAnswer only by calling the tool report.' }];
  const withLowEffort = { output_config: { effort: 'low' } };

  it.each([
    'local.extractive-v1',
    'us.amazon.nova-2-lite-v1:0',
    'anthropic.claude-3-haiku-20240307-v1:0',
    'eu.anthropic.claude-sonnet-4-5-20250929-v1:0',
    'us.anthropic.claude-opus-4-20250514-v1:0',
    'arn:aws:bedrock:eu-west-1:123456789012:inference-profile/global.anthropic.claude-opus-4-6-v1',
  ])('sends %s a temperature and a forced tool', (modelId) => {
    expect(toShape(modelId)).toEqual({
      modelId,
      system: [{ text: 'Rules.' }],
      inferenceConfig: { maxTokens: 100, temperature: 0 },
      toolChoice: forced,
    });
  });

  it.each(['global.anthropic.claude-opus-4-8', 'us.anthropic.claude-sonnet-5', 'anthropic.claude-opus-5'])(
    'sends %s a forced tool, but no temperature, and leaves room for thoughts',
    (modelId) => {
      expect(toShape(modelId)).toEqual({
        modelId,
        system: [{ text: 'Rules.' }],
        inferenceConfig: { maxTokens: 4_196 },
        additionalModelRequestFields: withLowEffort,
        toolChoice: forced,
      });
    },
  );

  it.each([
    'global.anthropic.claude-fable-5-1',
    ...(['us', 'eu', 'global'] as const).flatMap((geography) =>
      Object.values(getLanguageModels(geography)).flatMap(({ profile }) => profile?.id ?? []),
    ),
  ])('asks %s for the tool instead of forcing it', (modelId) => {
    expect(toShape(modelId)).toEqual({
      modelId,
      system: asked,
      inferenceConfig: { maxTokens: 4_196 },
      additionalModelRequestFields: withLowEffort,
      toolChoice: undefined,
    });
  });

  it.each(['openai.gpt-6-luna', 'arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/a1b2c3'])(
    'sends %s, which may be any model, only what all models accept',
    (modelId) => {
      expect(toShape(modelId)).toEqual({
        modelId,
        system: asked,
        inferenceConfig: { maxTokens: 100 },
        toolChoice: undefined,
      });
    },
  );

  it.each([
    ['us.anthropic.claude-sonnet-5-5', true],
    ['anthropic.claude-3-haiku-20240307-v1:0', false],
    ['amazon.nova-lite-v1:0', false],
    ['local.extractive-v1', false],
  ])('lets %s cache several tools: %s', (modelId, isCached) => {
    const getTools = (count: number) =>
      toConverseInput({ ...request, tools: Array(count).fill(tool) }, modelId).toolConfig!.tools!;
    const isCachePoint = (tools: ReturnType<typeof getTools>) => 'cachePoint' in tools.at(-1)!;
    expect([isCachePoint(getTools(2)), isCachePoint(getTools(1))]).toEqual([isCached, false]);
  });

  it('asks for no tool if none is required', () => {
    const { system, toolConfig } = toConverseInput({ ...request, tools: [tool] }, 'eu.anthropic.claude-opus-5-5');
    expect(system).toEqual([{ text: 'Rules.' }]);
    expect(toolConfig!.toolChoice).toBeUndefined();
  });
});

describe('structured answer', () => {
  const tool = { name: 'report', description: 'Reports.', input: z.strictObject({ count: z.int() }) };
  const { messages, system, model, maxTokens } = request;
  const ask = (converse: Parameters<typeof requestStructuredAnswer>[0]) =>
    requestStructuredAnswer(converse, { messages, system, model, maxTokens, tool }, startDeadline());

  it('is the input of the one tool that the model must use', async () => {
    const { converse, asked } = createScriptedModel(useTool('report', { count: 3 }));
    expect(await ask(converse)).toEqual({ value: { count: 3 }, modelUsed: 'local.small', tokensUsed: 10 });
    expect(asked[0]!.toolConfig).toMatchObject({
      tools: [{ toolSpec: { name: 'report', inputSchema: { json: { type: 'object', required: ['count'] } } } }],
      toolChoice: { tool: { name: 'report' } },
    });
  });

  it('is requested again from a model that answered in words', async () => {
    const thought = { reasoningContent: { reasoningText: { text: 'Three.', signature: 's' } } };
    const inWords = {
      ...sayText(''),
      output: { message: { role: 'assistant' as const, content: [thought, { text: '3' }] } },
    };
    const { converse, asked } = createScriptedModel(inWords, useTool('report', { count: 3 }));
    expect(await ask(converse)).toMatchObject({ value: { count: 3 }, tokensUsed: 20 });
    // Models check that their thoughts come back unchanged.
    expect(asked[1]!.messages!.slice(-2)).toEqual([
      { role: 'assistant', content: [thought, { text: '3' }] },
      { role: 'user', content: [{ text: 'Answer by using the tool.' }] },
    ]);
  });

  it('is requested again with the problems', async () => {
    const { converse, asked } = createScriptedModel(
      useTool('report', { count: 'many' }),
      useTool('report', { count: 4 }),
    );
    expect(await ask(converse)).toMatchObject({ value: { count: 4 }, tokensUsed: 20 });
    const [result] = asked[1]!.messages!.at(-1)!.content!;
    expect(result!.toolResult).toMatchObject({ toolUseId: 'use-1', status: 'error' });
    expect(JSON.stringify(result)).toContain('count');
  });

  it('gives a result for each of several invalid uses, as Bedrock requires', async () => {
    const twice = useTool('report', { count: 'many' });
    const [first] = twice.output!.message!.content!;
    const second = { toolUse: { ...first!.toolUse!, toolUseId: 'use-2' } };
    twice.output!.message!.content = [first!, second];
    const { converse, asked } = createScriptedModel(twice, useTool('report', { count: 4 }));
    expect(await ask(converse)).toMatchObject({ value: { count: 4 } });
    const results = asked[1]!.messages!.at(-1)!.content!.map(({ toolResult }) => toolResult!.toolUseId);
    expect(results).toEqual(['use-1', 'use-2']);
  });

  it('is not an input that was cut off', async () => {
    const cut = { ...useTool('report', { count: 1 }), stopReason: 'max_tokens' as const };
    const { converse } = createScriptedModel(cut, useTool('report', { count: 12 }));
    expect(await ask(converse)).toMatchObject({ value: { count: 12 } });
  });

  it('is rejected with 503 after two invalid attempts', async () => {
    const { converse } = createScriptedModel(useTool('report', {}), sayText('three'));
    await expect(ask(converse)).rejects.toMatchObject({ code: 'unavailable' });
  });
});

describe('tool loop', () => {
  const find: RunnableTool = {
    name: 'find',
    description: 'Finds.',
    input: z.strictObject({ id: z.string() }),
    run: async (input) => {
      const { id } = input as { id: string };
      if (id === 'gone') throw new ServiceError('not_found', 'There is none.');
      if (id === 'broken') throw new Error('secret');
      return { id, state: 'new' };
    },
  };
  const loop = (...answers: Scripted[]) => {
    const { converse, asked } = createScriptedModel(...answers);
    return { asked, answer: runToolLoop(converse, request, [find], startDeadline()) };
  };

  it('runs the requested tools and returns the answer', async () => {
    const { answer, asked } = loop(useTool('find', { id: 'a' }), sayText('It is new.'));
    expect(await answer).toEqual({
      text: 'It is new.',
      runs: [{ name: 'find', input: { id: 'a' }, output: { id: 'a', state: 'new' }, failed: false }],
      modelUsed: 'local.small',
      tokensUsed: 20,
    });
    expect(asked[1]!.messages!.at(-1)!.content![0]!.toolResult).toMatchObject({
      toolUseId: 'use-1',
      status: 'success',
    });
  });

  it.each([
    ['an input that does not fit', 'find', { id: 1 }, /id/],
    ['a tool that is not there', 'delete', {}, /no such tool/],
    ['what callers may know', 'find', { id: 'gone' }, /There is none/],
  ])('reports %s to the model', async (_name, tool, input, message) => {
    const { answer } = loop(useTool(tool, input), sayText('Sorry.'));
    const { runs } = await answer;
    expect(runs).toEqual([expect.objectContaining({ failed: true })]);
    expect(JSON.stringify(runs)).toMatch(message);
  });

  it('does not report internal errors to the model', async () => {
    await expect(loop(useTool('find', { id: 'broken' })).answer).rejects.toThrow('secret');
  });

  it('ends after six steps and returns the results so far', async () => {
    const { answer, asked } = loop(...Array.from({ length: 20 }, () => useTool('find', { id: 'a' })));
    const { text, runs, tokensUsed } = await answer;
    expect(asked).toHaveLength(6);
    expect(tokensUsed).toBe(60);
    expect(text).toMatch(/^No answer was found within 6 steps/);
    expect(runs.map(({ output }) => output)).toEqual(Array.from({ length: 5 }, () => ({ id: 'a', state: 'new' })));
  });

  it('asks for an answer with what was found before the last step', async () => {
    const { answer, asked } = loop(
      ...Array.from({ length: 5 }, () => useTool('find', { id: 'a' })),
      sayText('It is new; its owner is unknown.'),
    );
    expect((await answer).text).toBe('It is new; its owner is unknown.');
    const last = (call: number) => asked[call]!.messages!.at(-1)!.content!.at(-1)!.text;
    expect(last(5)).toMatch(/last lookup/);
    expect(last(4)).toBeUndefined();
  });

  it.each([
    ['max_tokens', 'There are\n\nThe answer ends here, because it became too long. Ask for less.'],
    ['guardrail_intervened', 'There are\n\nThe provider of the language model withheld the rest of this answer.'],
  ] as const)('says so when an answer is cut off: %s', async (stopReason, text) => {
    expect((await loop({ ...sayText('There are'), stopReason }).answer).text).toBe(text);
  });

  it('runs at most four tools per step, and reports the others as skipped', async () => {
    const many = useTool('find', { id: 'a' });
    const block = many.output!.message!.content![0]!;
    many.output!.message!.content = Array.from({ length: 6 }, () => block);
    const { runs } = await loop(many, sayText('It is new.')).answer;
    expect(runs.map(({ failed }) => failed)).toEqual([false, false, false, false, true, true]);
  });
});
