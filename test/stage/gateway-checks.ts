// Checks of the gateway's configuration: each method requires a token and a consumer, and the usage plans apply to this
// stage.
import assert from 'node:assert/strict';
import {
  type APIGatewayClient,
  paginateGetResources,
  paginateGetRestApis,
  paginateGetUsagePlanKeys,
  paginateGetUsagePlans,
  type Resource,
  type UsagePlan,
} from '@aws-sdk/client-api-gateway';
import { apiPrefixes, stageName } from '../../contract/http.ts';
import { rateLimits } from '../../contract/rate-limits.ts';
import { operations } from '../../contract/routes.ts';
import type { Check } from './run-checks.ts';
import type { Stage } from './stage-under-test.ts';

export function createGatewayChecks(gateway: APIGatewayClient): Check[] {
  return [
    {
      name: 'protects every method with the authorizer and a usage plan',
      run: (stage) => checkMethods(gateway, stage),
    },
    { name: 'has the client in a usage plan of this stage', run: (stage) => checkUsagePlans(gateway, stage) },
  ];
}

async function checkMethods(gateway: APIGatewayClient, stage: Stage): Promise<string> {
  const { id } = await findApi(gateway, stage);
  const resources: Resource[] = [];
  const query = { restApiId: id, embed: ['methods'], limit: 500 };
  for await (const { items = [] } of paginateGetResources({ client: gateway }, query)) resources.push(...items);
  const problems = findMethodProblems(resources);
  assert.equal(problems.length, 0, problems.slice(0, 10).join('; '));
  const methods = resources.flatMap(({ resourceMethods = {} }) => Object.keys(resourceMethods));
  return `${methods.length} methods of API ${id}`;
}

/** A method with another protection than the contract says. Methods that match no operation return 404 or 405 to anyone. */
export function findMethodProblems(resources: readonly Resource[]): string[] {
  const deployed = new Map(
    resources.flatMap(({ path, resourceMethods = {} }) =>
      Object.entries(resourceMethods).map(([name, method]) => [`${name} ${path}`, method] as const),
    ),
  );
  return apiPrefixes.flatMap((prefix) =>
    operations.flatMap(({ method, path, access }) => {
      const names = method === 'GET' ? ['GET', 'HEAD'] : [method];
      return names.flatMap((name) => {
        const found = deployed.get(`${name} ${prefix}${path}`);
        if (!found) return [`${name} ${prefix}${path} does not exist`];
        const isProtected = found.apiKeyRequired === true && Boolean(found.authorizerId);
        const isOpen = !found.apiKeyRequired && !found.authorizerId;
        if (access === 'public' ? isOpen : isProtected) return [];
        const facts = `apiKeyRequired ${found.apiKeyRequired}, authorizerId ${found.authorizerId}`;
        return [`${name} ${prefix}${path} has ${facts}`];
      });
    }),
  );
}

async function checkUsagePlans(gateway: APIGatewayClient, stage: Stage): Promise<string> {
  const { id } = await findApi(gateway, stage);
  const plans: UsagePlan[] = [];
  for await (const { items = [] } of paginateGetUsagePlans({ client: gateway }, { limit: 500 })) plans.push(...items);
  const here = plans.filter(({ apiStages = [] }) =>
    apiStages.some(({ apiId, stage: name }) => apiId === id && name === stageName),
  );
  for (const plan of here) {
    if (!(await hasKey(gateway, plan, stage.clientId))) continue;
    assert.equal(plan.throttle?.rateLimit, rateLimits.general.limit, `the rate of the plan ${plan.name}`);
    return `${plan.name}: ${plan.throttle?.rateLimit} requests per second, burst ${plan.throttle?.burstLimit}`;
  }
  throw new Error(`none of the ${here.length} usage plans of API ${id} contains the client ${stage.clientId}`);
}

/** The API key of a client is its id. */
async function hasKey(gateway: APIGatewayClient, { id: usagePlanId }: UsagePlan, clientId: string): Promise<boolean> {
  for await (const { items = [] } of paginateGetUsagePlanKeys({ client: gateway }, { usagePlanId, limit: 500 }))
    if (items.some(({ value }) => value === clientId)) return true;
  return false;
}

async function findApi(gateway: APIGatewayClient, { serviceInstance }: Stage): Promise<{ id: string }> {
  const wanted = `incidents-${serviceInstance}`;
  for await (const { items = [] } of paginateGetRestApis({ client: gateway }, { limit: 500 })) {
    const id = items.find(({ name }) => name === wanted)?.id;
    if (id) return { id };
  }
  throw new Error(`this account has no API ${wanted} in this region; check AWS_REGION and the credentials`);
}
