import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readClient } from '../../demo/users.ts';
import { createJsonLog } from '../../local/log.ts';
import { type Runtime, startRuntime } from '../../local/runtime.ts';
import type { CloudFormationTemplate } from '../../local/template/template.ts';
import { assemblyFolder, readTemplate, stackName } from '../../tools/build/local-build.ts';

interface Statement {
  Action: string | string[];
}
interface RoleProperties {
  Policies?: { PolicyDocument: { Statement: Statement[] } }[];
}

let folder: string;
let lines: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'grants-'));
  lines = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function healthWith(template: CloudFormationTemplate): Promise<Response> {
  const runtime = await startRuntime({
    template,
    stackName,
    assetFolder: assemblyFolder,
    dataFolder: folder,
    host: '127.0.0.1',
    port: 0,
    parameters: (publicUrl) => ({ PublicUrl: publicUrl }),
    log: createJsonLog((line) => lines.push(line)),
  });
  try {
    return await askForHealth(runtime);
  } finally {
    await runtime.stop();
  }
}

async function askForHealth({ publicUrl, callAws, stack }: Runtime): Promise<Response> {
  const pool = { callAws, userPoolId: stack.outputs.UserPoolId! };
  const client = await readClient(pool, stack.outputs.ViewerClientId!);
  const body = new URLSearchParams({ grant_type: 'client_credentials', ...client });
  const answer = await (await fetch(`${publicUrl}/oauth2/token`, { method: 'POST', body })).json();
  const { access_token } = answer as { access_token: string };
  return fetch(`${publicUrl}/prod/api/v1/health`, { headers: { authorization: `Bearer ${access_token}` } });
}

/** Takes one action away from the role whose logical id matches. */
function withoutGrant(template: CloudFormationTemplate, role: RegExp, action: string): CloudFormationTemplate {
  let removed = 0;
  for (const [logicalId, resource] of Object.entries(template.Resources)) {
    if (resource.Type !== 'AWS::IAM::Role' || !role.test(logicalId)) continue;
    for (const policy of (resource.Properties as RoleProperties).Policies ?? []) {
      const { Statement: statements } = policy.PolicyDocument;
      const kept = statements.filter((statement) => ![statement.Action].flat().includes(action));
      removed += statements.length - kept.length;
      policy.PolicyDocument.Statement = kept;
    }
  }
  expect(removed).toBeGreaterThan(0);
  return template;
}

describe('grants of the template', () => {
  it('suffice for the health check', async () => {
    expect((await healthWith(readTemplate())).status).toBe(200);
    expect(lines.filter((line) => line.includes('not authorized'))).toEqual([]);
  });

  it('are needed: a call whose grant was removed is rejected as in AWS, and the log shows the missing statement', async () => {
    const response = await healthWith(withoutGrant(readTemplate(), /GetHealth/i, 'dynamodb:GetItem'));
    expect(response.ok).toBe(false);
    expect(await response.text()).not.toContain('dynamodb');
    const rejection = JSON.parse(lines.find((line) => line.includes('access denied'))!);
    expect(rejection.caller).toContain('get-health');
    expect(JSON.parse(rejection.missing_statement)).toEqual({
      Effect: 'Allow',
      Action: 'dynamodb:GetItem',
      Resource: expect.stringMatching(/^arn:aws:dynamodb:.*:table\/.*Records/),
    });
  });
});
