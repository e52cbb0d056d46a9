import {
  AccessDeniedException,
  ServiceUnavailableException,
  ThrottlingException,
  ValidationException,
} from '@aws-sdk/client-bedrock-runtime';
import { AwsError } from '../../../../local/aws/error.ts';
import type { ConverseModel } from '../../../../local/bedrock/converse.ts';
import { signAwsCall } from '../../../support/signed-aws-call.ts';
import { credentials } from '../test-runtime.ts';
import { anEndpoint, type BedrockEndpoint, says } from './an-endpoint.ts';

const greeter: ConverseModel = {
  converse: async () => ({
    content: [{ text: 'Hello.' }],
    stopReason: 'end_turn',
    inputTokens: 2,
    outputTokens: 3,
    modelId: 'local.greeter',
  }),
};

let bedrock: BedrockEndpoint;
beforeEach(async () => {
  bedrock = await anEndpoint(greeter);
});
afterEach(() => bedrock.close());

describe('createBedrock', () => {
  it("answers the SDK's HTTP/2 client and names the model", async () => {
    const answer = await bedrock.converse({});
    expect(answer).toMatchObject({
      output: { message: { role: 'assistant', content: [{ text: 'Hello.' }] } },
      stopReason: 'end_turn',
      usage: { inputTokens: 2, outputTokens: 3, totalTokens: 5 },
      trace: { promptRouter: { invokedModelId: 'local.greeter' } },
    });
  });

  it('answers HTTP/1.1 requests of the AWS CLI at the same address', async () => {
    const body = JSON.stringify({ messages: says('Hi') });
    const path = '/model/local.greeter/converse';
    const signer = { awsUrl: bedrock.url, awsCredentials: credentials };
    const headers = signAwsCall(signer, 'bedrock', 'none', body, path);
    const response = await fetch(bedrock.url + path, { method: 'POST', headers, body });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ stopReason: 'end_turn' });
  });

  it('says that it has no model', async () => {
    const without = await anEndpoint();
    await expect(without.converse({})).rejects.toBeInstanceOf(ServiceUnavailableException);
    await without.close();
  });

  it('answers 40 concurrent requests over one connection', async () => {
    const answers = await Promise.all(Array.from({ length: 40 }, () => bedrock.converse({})));
    expect(answers).toHaveLength(40);
  });

  it.each([
    ['local.greeter', ['arn:aws:bedrock:eu-west-1::foundation-model/local.greeter']],
    [
      'eu.a.model-v1:0',
      [
        'arn:aws:bedrock:eu-west-1:123456789012:inference-profile/eu.a.model-v1:0',
        'arn:aws:bedrock:eu-west-1::foundation-model/a.model-v1:0',
      ],
    ],
    [
      'arn:aws:bedrock:eu-west-1:123456789012:application-inference-profile/abc',
      ['arn:aws:bedrock:eu-west-1:123456789012:application-inference-profile/abc'],
    ],
  ])('requires permission for %s', async (modelId, resources) => {
    await bedrock.converse({ modelId });
    expect(bedrock.accesses).toEqual(resources.map((resource) => ({ action: 'bedrock:InvokeModel', resource })));
  });

  it('rejects a caller without permission with 403', async () => {
    bedrock.authorize = () => {
      throw new AwsError('AccessDeniedException', 'not authorized to perform: bedrock:InvokeModel');
    };
    const denied = bedrock.converse({});
    await expect(denied).rejects.toBeInstanceOf(AccessDeniedException);
    await expect(denied).rejects.toMatchObject({ $metadata: { httpStatusCode: 403 } });
  });

  it.each([
    ['a conversation without messages', { messages: [] }],
    ['a conversation that starts with the assistant', { messages: [{ role: 'assistant', content: [{ text: 'Hi' }] }] }],
    ['the choice of an unknown tool', { toolConfig: { tools: [aTool()], toolChoice: { tool: { name: 'other' } } } }],
    [
      'a tool use without a result',
      {
        messages: [
          ...says('Hi')!,
          { role: 'assistant', content: [{ toolUse: { toolUseId: '1', name: 'report', input: {} } }] },
          ...says('Go on')!,
        ],
      },
    ],
    ['an unsupported parameter', { guardrailConfig: { guardrailIdentifier: 'a', guardrailVersion: '1' } }],
  ])('rejects %s as Bedrock does', async (_name, input) => {
    await expect(bedrock.converse(input as never)).rejects.toBeInstanceOf(ValidationException);
  });

  it('returns an injected error as often as requested', async () => {
    bedrock.endpoint.faults.set('bedrock', { error: 'ThrottlingException', times: 2 });
    await expect(bedrock.converse({})).rejects.toBeInstanceOf(ThrottlingException);
    await expect(bedrock.converse({})).rejects.toMatchObject({ $metadata: { httpStatusCode: 429 } });
    await bedrock.converse({});
    bedrock.endpoint.faults.set('bedrock', { error: 'ServiceUnavailableException' });
    await expect(bedrock.converse({})).rejects.toBeInstanceOf(ServiceUnavailableException);
  });

  it('does not respond while a silent fault is set', async () => {
    bedrock.endpoint.faults.set('bedrock', { silent: true });
    let settled = false;
    const silent = bedrock
      .converse({})
      .catch((error: unknown) => error)
      .finally(() => {
        settled = true;
      });
    const arrived = () => Object.keys(bedrock.endpoint.calls()).length > 0;
    for (let turn = 0; turn < 100_000 && !arrived(); turn++) await new Promise((resolve) => setImmediate(resolve));
    await fetch(bedrock.url);
    expect([arrived(), settled]).toEqual([true, false]);
    bedrock.endpoint.faults.clear();
    expect(await silent).toBeInstanceOf(ServiceUnavailableException);
  });
});

function aTool() {
  return { toolSpec: { name: 'report', inputSchema: { json: { type: 'object', properties: {} } } } };
}
