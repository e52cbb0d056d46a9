// The runtime's endpoint with only Bedrock behind it, and the SDK's client.
import {
  BedrockRuntimeClient,
  ConverseCommand,
  type ConverseCommandInput,
  type ConverseCommandOutput,
} from '@aws-sdk/client-bedrock-runtime';
import { AwsEndpoint } from '../../../../local/aws/endpoint.ts';
import type { Access } from '../../../../local/aws/service.ts';
import { type BedrockOptions, createBedrock } from '../../../../local/bedrock/bedrock.ts';
import { credentials, environment } from '../test-runtime.ts';

export interface BedrockEndpoint {
  endpoint: AwsEndpoint;
  url: string;
  client: BedrockRuntimeClient;
  /** The permissions that calls required. */
  accesses: Access[];
  /** Replace it to deny access. */
  authorize(accesses: readonly Access[]): void;
  converse(input: Partial<ConverseCommandInput>): Promise<ConverseCommandOutput>;
  close(): Promise<void>;
}

export async function anEndpoint(model?: BedrockOptions['model']): Promise<BedrockEndpoint> {
  const quiet = { info() {}, warn() {}, error() {} };
  const endpoint = new AwsEndpoint(quiet);
  const url = `http://127.0.0.1:${await endpoint.listen(0)}`;
  const client = new BedrockRuntimeClient({ endpoint: url, region: environment.region, credentials, maxAttempts: 1 });
  const made: BedrockEndpoint = {
    endpoint,
    url,
    client,
    accesses: [],
    authorize: (accesses) => void made.accesses.push(...accesses),
    converse: (input) => client.send(new ConverseCommand({ modelId: 'local.greeter', messages: says('Hi'), ...input })),
    async close() {
      client.destroy();
      await endpoint.close();
    },
  };
  const caller = { roleArn: 'arn:aws:iam::123456789012:role/a', name: 'a' };
  endpoint.open({
    services: [createBedrock({ environment, model }).service],
    authorize: (_caller, accesses) => made.authorize(accesses),
    identify: () => ({ caller, secretAccessKey: credentials.secretAccessKey }),
  });
  return made;
}

export const says = (text: string): ConverseCommandInput['messages'] => [{ role: 'user', content: [{ text }] }];
