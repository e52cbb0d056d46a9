import {
  DescribeExecutionCommand,
  ListExecutionsCommand,
  ListStateMachinesCommand,
  type SFNClient,
  StartExecutionCommand,
} from '@aws-sdk/client-sfn';

// Starts and follows executions of the state machine that rebuilds indexes (lib/reindex-definition.ts).

/** Returns the ARN of the execution. */
export async function startReindexing(
  client: SFNClient,
  stateMachineArn: string,
  types: readonly string[],
  build: number,
): Promise<string> {
  const input = JSON.stringify({ build, types });
  const started = await client.send(new StartExecutionCommand({ stateMachineArn, name: `reindex-${build}`, input }));
  return String(started.executionArn);
}

export async function findRunningReindexing(client: SFNClient, stateMachineArn: string): Promise<string | undefined> {
  const { executions = [] } = await client.send(
    new ListExecutionsCommand({ stateMachineArn, statusFilter: 'RUNNING' }),
  );
  return executions[0]?.executionArn;
}

/** Far more than an account has. */
const maxPages = 100;

/** Undefined if the instance does not use OpenSearch. */
export async function findReindexMachine(client: SFNClient, instance: string): Promise<string | undefined> {
  let nextToken: string | undefined;
  for (let page = 0; page < maxPages; page++) {
    const found = await client.send(new ListStateMachinesCommand({ nextToken }));
    const machine = found.stateMachines?.find(({ name }) => name === `${instance}-reindex`);
    if (machine || !found.nextToken) return machine?.stateMachineArn;
    nextToken = found.nextToken;
  }
  return undefined;
}

export type ReindexResult = { counts: Readonly<Record<string, number>> } | { problem: string };

/** Undefined while it runs. */
export async function readReindexing(client: SFNClient, executionArn: string): Promise<ReindexResult | undefined> {
  const { status, output, cause, error } = await client.send(new DescribeExecutionCommand({ executionArn }));
  if (status === 'RUNNING') return undefined;
  return status === 'SUCCEEDED'
    ? { counts: JSON.parse(output ?? '{}') }
    : { problem: cause || error || String(status) };
}
