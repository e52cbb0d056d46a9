import { APIGatewayClient } from '@aws-sdk/client-api-gateway';
import { createGatewayChecks, findMethodProblems } from '../stage/gateway-checks.ts';
import { journeys } from '../stage/journeys.ts';
import { rateLimitCheck } from '../stage/rate-limit-check.ts';
import { type Check, runChecks } from '../stage/run-checks.ts';
import { connectStage, type Stage, type StageOptions } from '../stage/stage-under-test.ts';
import { type Service, startService } from '../support/service.ts';

let service: Service;
let gateway: APIGatewayClient;
let options: StageOptions;
let stage: Stage;
const lines: string[] = [];
beforeAll(async () => {
  service = await startService();
  const { client_id: clientId, client_secret: clientSecret } = service.credentials.clients.admin;
  options = { url: service.baseUrl, clientId, clientSecret };
  gateway = new APIGatewayClient({
    endpoint: service.awsUrl,
    region: 'us-east-1',
    credentials: service.awsCredentials,
    maxAttempts: 1,
  });
  stage = await connectStage(options);
});
afterAll(async () => {
  gateway.destroy();
  await service.stop();
});

const run = (checks: readonly Check[]) => runChecks(stage, checks, (line) => lines.push(line));

describe('checks of a deployed stage', () => {
  it('pass on one machine, and leave no records behind', async () => {
    const failed = await run([...journeys, ...createGatewayChecks(gateway)]);
    expect([failed, lines.filter((line) => !line.startsWith('ok '))]).toEqual([[], []]);
    expect((await stage.client.listIncidents()).total).toBe(0);
    expect((await stage.client.listApiKeys()).total).toBe(0);
    expect((await stage.client.listInboundWebhooks()).total).toBe(0);
  });

  it('verify the limits of the service and of the usage plan', async () => {
    await service.advance('5s');
    await service.hold(true);
    const failed = await run([rateLimitCheck]);
    await service.hold(false);
    expect(failed).toEqual([]);
    expect(lines.at(-1)).toMatch(/100 accepted, 100 rejected by the service, 200 by the usage plan/);
    await service.advance('5s');
  });

  it('fail if the stage fails', async () => {
    await setFault({ service: 'bedrock', error: 'AccessDeniedException' });
    const modelChecks = journeys.filter(({ name }) => /embeddings|language model/.test(name));
    expect(modelChecks).toHaveLength(2);
    const failed = await run(modelChecks);
    expect(failed).toEqual(['answers a question with the language model']);
    // The checks that --without-ai omits.
    expect(journeys.filter(({ needsModel }) => needsModel).map(({ name }) => name)).toEqual(failed);
  });

  it('list unprotected methods', () => {
    const open = { httpMethod: 'POST', apiKeyRequired: false };
    const problems = findMethodProblems([{ path: '/api/v1/incidents', resourceMethods: { POST: open } }]);
    expect(problems).toContain('POST /api/v1/incidents has apiKeyRequired false, authorizerId undefined');
    expect(problems).toContain('GET /api/v1/incidents does not exist');
  });

  it('explain a wrong URL or wrong credentials', async () => {
    const connect = (wrong: Partial<StageOptions>) => connectStage({ ...options, ...wrong });
    await expect(connect({ clientSecret: 'wrong' })).rejects.toThrow(/No token from .* Check --client-id/);
    await expect(connect({ url: `${service.baseUrl}/prod` })).rejects.toThrow(/--url must be the output ApiUrl/);
    await expect(connect({ url: 'http://127.0.0.1:9' })).rejects.toThrow(/No response from .*--url must be/);
  });
});

async function setFault(fault: object): Promise<void> {
  const response = await fetch(`${service.baseUrl}/_local/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(fault),
  });
  expect(response.status).toBe(200);
}
