import { AwsError } from '../../../../local/aws/error.ts';
import type { Access, AwsHttpRequest } from '../../../../local/aws/service.ts';
import { aFunction, aStage, type Stage } from './function-fixture.ts';

const arn = 'arn:aws:lambda:eu-west-1:123456789012:function:shop-F';
const code = `exports.handler = async (event) => {
  if (event.fail) throw new Error('refused'); console.log('seen', event.n); return { n: event.n }; }`;

function aRequest(body: unknown, headers: Record<string, string> = {}, name = 'shop-F'): AwsHttpRequest {
  return {
    method: 'POST',
    path: `/2015-03-31/functions/${encodeURIComponent(name)}/invocations`,
    query: new URLSearchParams(),
    headers,
    body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  };
}

describe('the Lambda API', () => {
  let stage: Stage;
  const asked: Access[] = [];
  const authorize = (accesses: readonly Access[]) => void asked.push(...accesses);

  beforeEach(async () => {
    asked.length = 0;
    stage = await aStage([aFunction('F', code)]);
  });
  afterEach(() => stage.close());

  it('invokes a function after authorizing lambda:InvokeFunction', async () => {
    const response = await stage.functions.service.handle(aRequest({ n: 1 }, {}, arn), authorize);
    expect(response).toMatchObject({ status: 200, body: '{"n":1}', headers: { 'x-amz-executed-version': '$LATEST' } });
    expect(asked).toEqual([{ action: 'lambda:InvokeFunction', resource: arn }]);
  });

  it('does not run the function when access is denied', async () => {
    const refuse = () => {
      throw new AwsError('AccessDeniedException', 'not authorized', { status: 403 });
    };
    const response = await stage.functions.service.handle(aRequest({ n: 1 }), refuse);
    expect(response).toMatchObject({ status: 403, headers: { 'x-amzn-errortype': 'AccessDeniedException' } });
    expect(stage.logged).toEqual([]);
  });

  it('marks a function error in the header', async () => {
    const response = await stage.functions.service.handle(aRequest({ fail: true }), authorize);
    expect(response).toMatchObject({ status: 200, headers: { 'x-amz-function-error': 'Unhandled' } });
    expect(JSON.parse(String(response.body))).toMatchObject({ errorMessage: 'refused' });
  });

  it('returns the log tail on request', async () => {
    const response = await stage.functions.service.handle(aRequest({ n: 2 }, { 'x-amz-log-type': 'Tail' }), authorize);
    expect(Buffer.from(response.headers['x-amz-log-result']!, 'base64').toString()).toBe('seen 2');
  });

  it('accepts a dry run without running the function', async () => {
    const response = await stage.functions.service.handle(
      aRequest({}, { 'x-amz-invocation-type': 'DryRun' }),
      authorize,
    );
    expect(response.status).toBe(204);
    expect(stage.functions.warmCount()).toBe(0);
  });

  it('accepts an event and runs it', async () => {
    const request = aRequest({ n: 3 }, { 'x-amz-invocation-type': 'Event' });
    expect(await stage.functions.service.handle(request, authorize)).toMatchObject({ status: 202, body: '' });
    await stage.clock.waitUntilIdle();
    expect(stage.logged).toMatchObject([{ message: 'seen 3' }]);
  });

  it('rejects an unknown function, a body that is not JSON, and any other operation', async () => {
    const { service } = stage.functions;
    expect(await service.handle(aRequest({}, {}, 'nobody'), authorize)).toMatchObject({
      status: 404,
      headers: { 'x-amzn-errortype': 'ResourceNotFoundException' },
    });
    expect(await service.handle(aRequest('{'), authorize)).toMatchObject({ status: 400 });
    expect(await service.handle({ ...aRequest({}), path: '/2015-03-31/functions/' }, authorize)).toMatchObject({
      headers: { 'x-amzn-errortype': 'UnknownOperationException' },
    });
  });

  it('supports the same call in-process', async () => {
    const { service } = stage.functions;
    expect(await service.call('invoke', { FunctionName: arn, Payload: { n: 4 } }, authorize)).toEqual({
      StatusCode: 200,
      ExecutedVersion: '$LATEST',
      Payload: { n: 4 },
    });
    expect(await service.call('invoke', { FunctionName: arn, Payload: { fail: 1 } }, authorize)).toMatchObject({
      FunctionError: 'Unhandled',
    });
  });
});
