import {
  type APIGatewayClient,
  CreateApiKeyCommand,
  CreateUsagePlanKeyCommand,
  DeleteApiKeyCommand,
  GetApiKeysCommand,
  GetUsagePlansCommand,
  NotFoundException,
} from '@aws-sdk/client-api-gateway';

// Consumers of the gateway's usage plan. A consumer is a gateway key whose value is the client id set by the
// authorizer; callers never send it. The plan is found by name, because a reference would create a cycle in the stack
// between plan and routes.

export interface Consumers {
  add(name: string, clientId: string): Promise<void>;
  /** Succeeds when the consumer is already gone. */
  remove(name: string): Promise<void>;
}

export function createConsumers(client: APIGatewayClient, planName: string): Consumers {
  let planId: Promise<string> | undefined;
  const plan = () => {
    planId ??= findPlan(client, planName).catch((error: unknown) => {
      planId = undefined;
      throw error;
    });
    return planId;
  };
  return {
    async add(name, clientId) {
      const usagePlanId = await plan();
      const { id } = await client.send(new CreateApiKeyCommand({ name, value: clientId, enabled: true }));
      await client.send(new CreateUsagePlanKeyCommand({ usagePlanId, keyId: id, keyType: 'API_KEY' }));
    },
    async remove(name) {
      // Names are unique, so one page is enough.
      const { items = [] } = await client.send(new GetApiKeysCommand({ nameQuery: name, limit: 10 }));
      for (const { id, name: found } of items) {
        if (found !== name) continue;
        await client.send(new DeleteApiKeyCommand({ apiKey: id })).catch((error: unknown) => {
          if (!(error instanceof NotFoundException)) throw error;
        });
      }
    },
  };
}

const maxPages = 20;

async function findPlan(client: APIGatewayClient, name: string): Promise<string> {
  let position: string | undefined;
  for (let page = 0; page < maxPages; page++) {
    const answer = await client.send(new GetUsagePlansCommand({ limit: 500, ...(position && { position }) }));
    const found = answer.items?.find((plan) => plan.name === name)?.id;
    if (found) return found;
    position = answer.position;
    if (!position) break;
  }
  throw new Error(`the gateway has no usage plan ${name}`);
}
