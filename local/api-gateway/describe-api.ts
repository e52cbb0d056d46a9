// The configuration of the API as the API Gateway operations describe it: APIs, methods, usage plans and their keys.
import type { Resource } from '../template/resource-type.ts';
import type { ApiKeyStore } from './api-key-store.ts';
import { parseApiBody } from './openapi-body.ts';

export function describeApis(resources: readonly Resource[]): object[] {
  return selectType(resources, 'RestApi').map(({ physicalId: id, properties }) => ({ id, name: properties.Name }));
}

/** Undefined for an unknown API. */
export function describeResources(resources: readonly Resource[], apiId: string): object[] | undefined {
  const api = selectType(resources, 'RestApi').find(({ physicalId }) => physicalId === apiId);
  if (!api) return undefined;
  const methods = new Map<string, Record<string, object>>();
  for (const { httpMethod, resourcePath, authorizer, apiKeyRequired } of parseApiBody(api.properties.Body ?? {}, [])
    .methods) {
    const here = methods.get(resourcePath) ?? {};
    here[httpMethod] = {
      httpMethod,
      apiKeyRequired,
      authorizationType: authorizer ? 'CUSTOM' : 'NONE',
      ...(authorizer && { authorizerId: authorizer.name }),
    };
    methods.set(resourcePath, here);
  }
  return [...methods].map(([path, resourceMethods]) => ({ id: path, path, resourceMethods }));
}

export function describeUsagePlans(resources: readonly Resource[]): object[] {
  return selectType(resources, 'UsagePlan').map(({ physicalId: id, properties }) => {
    const { RateLimit: rateLimit, BurstLimit: burstLimit } = properties.Throttle ?? {};
    const stages: { ApiId: string; Stage: string }[] = properties.ApiStages ?? [];
    const apiStages = stages.map(({ ApiId: apiId, Stage: stage }) => ({ apiId, stage }));
    return { id, name: properties.UsagePlanName, apiStages, throttle: { rateLimit, burstLimit } };
  });
}

/** Keys of the template, then keys created by API calls. */
export function describeUsagePlanKeys(resources: readonly Resource[], planId: string, created: ApiKeyStore): object[] {
  const planKeys = selectType(resources, 'UsagePlanKey').filter(({ properties }) => properties.UsagePlanId === planId);
  const ids = new Set(planKeys.map(({ properties }) => properties.KeyId));
  const ofTemplate = selectType(resources, 'ApiKey')
    .filter(({ physicalId }) => ids.has(physicalId))
    .map(({ physicalId: id, properties }) => ({ id, type: 'API_KEY', value: properties.Value, name: properties.Name }));
  const ofCalls = created
    .list('', '', Number.MAX_SAFE_INTEGER)
    .filter(({ id }) => created.listPlans(id).includes(planId))
    .map(({ id, value, name }) => ({ id, type: 'API_KEY', value, name }));
  return [...ofTemplate, ...ofCalls];
}

function selectType(resources: readonly Resource[], name: string): Resource[] {
  return resources.filter(({ type }) => type === `AWS::ApiGateway::${name}`);
}
