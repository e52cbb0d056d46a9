// Custom resources of the template: functions that CloudFormation runs during a deployment. They run when something first
// needs them, and again when their properties have changed.
import { createHash, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { InvokeResult } from '../lambda/invocation.ts';
import type { Storage } from '../storage/storage.ts';
import type { Resource, ResourceTypes, Stack } from '../template/resource-type.ts';

export const resourceTypes: ResourceTypes = {
  'AWS::CloudFormation::CustomResource': { ref: (logicalId) => logicalId, supported: true },
};

export interface CustomResourceOptions {
  stack: Stack;
  storage: Storage;
  invoke(functionArn: string, event: unknown): Promise<InvokeResult>;
}

interface Result {
  Status: 'SUCCESS' | 'FAILED';
  Reason?: string;
}

export class CustomResources {
  private readonly options: CustomResourceOptions;
  private deploying: Promise<void> | undefined;

  constructor(options: CustomResourceOptions) {
    this.options = options;
    options.storage.exec('CREATE TABLE IF NOT EXISTS custom_resources (id TEXT PRIMARY KEY, digest TEXT NOT NULL)');
  }

  /** Resolves once all of them are up to date. After a failure, the next call tries again. */
  deploy(): Promise<void> {
    this.deploying ??= this.deployAll().catch((error: unknown) => {
      this.deploying = undefined;
      throw error;
    });
    return this.deploying;
  }

  private async deployAll(): Promise<void> {
    const { stack, storage } = this.options;
    const find = storage.prepare('SELECT digest FROM custom_resources WHERE id = ?');
    const save = storage.prepare('INSERT OR REPLACE INTO custom_resources VALUES (?, ?)');
    for (const resource of stack.findByType('AWS::CloudFormation::CustomResource')) {
      const digest = createHash('sha256').update(JSON.stringify(resource.properties)).digest('hex');
      const deployed = find.get([resource.logicalId])?.digest;
      if (deployed === digest) continue;
      await this.deployOne(resource, deployed === undefined ? 'Create' : 'Update');
      await storage.write(() => save.run([resource.logicalId, digest]));
    }
  }

  private async deployOne({ logicalId, physicalId, properties }: Resource, requestType: string): Promise<void> {
    const { stack, invoke } = this.options;
    const { stackName, region, accountId } = stack.environment;
    const { url, result, close } = await listenForResult();
    try {
      const { functionError } = await invoke(properties.ServiceToken, {
        RequestType: requestType,
        ResponseURL: url,
        StackId: `arn:aws:cloudformation:${region}:${accountId}:stack/${stackName}/local`,
        RequestId: randomUUID(),
        ResourceType: 'AWS::CloudFormation::CustomResource',
        LogicalResourceId: logicalId,
        ...(requestType === 'Update' && { PhysicalResourceId: physicalId }),
        ResourceProperties: properties,
      });
      const { Status, Reason } = functionError ? { Status: 'FAILED', Reason: functionError } : result();
      if (Status !== 'SUCCESS') throw new Error(`the custom resource ${logicalId} failed: ${Reason}`);
    } finally {
      close();
    }
  }
}

/** A server for one result; the function sends it before it returns. */
async function listenForResult(): Promise<{ url: string; result(): Result; close(): void }> {
  let received: Result = { Status: 'FAILED', Reason: 'the function sent no result' };
  const path = `/${randomUUID()}`;
  const server = createServer(async (request, response) => {
    if (request.method === 'PUT' && request.url === path) received = (await json(request)) as Result;
    response.writeHead(request.url === path ? 200 : 404).end();
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${port}${path}`, result: () => received, close };
}
