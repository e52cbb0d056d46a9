// The API Gateway operations that manage API keys and usage plan keys or describe the API. All others are rejected.
import { AwsError } from '../aws/error.ts';
import {
  type Access,
  type AwsHttpRequest,
  type AwsHttpResponse,
  type AwsService,
  type Input,
  parseInput,
  unsupportedOperationError,
} from '../aws/service.ts';
import type { Clock } from '../clock/clock.ts';
import type { Storage } from '../storage/storage.ts';
import type { Resource, StackEnvironment } from '../template/resource-type.ts';
import { ApiKeyStore, type CreatedKey, type Tags } from './api-key-store.ts';
import { describeApis, describeResources, describeUsagePlanKeys, describeUsagePlans } from './describe-api.ts';

export interface ControlPlane {
  readonly service: AwsService;
  readonly keys: ApiKeyStore;
  /** Reads the API, the usage plans and the keys of the template. */
  load(resources: readonly Resource[]): void;
}

interface Call {
  keys: ApiKeyStore;
  resources: readonly Resource[];
  plans: readonly Resource[];
  /** Values of the template's keys. */
  taken: ReadonlySet<string>;
  id: string;
  query: URLSearchParams;
  input: Input;
}

type Operation = (call: Call) => Promise<{ status: number; body?: unknown }>;

export function createControlPlane(options: {
  storage: Storage;
  clock: Clock;
  environment: StackEnvironment;
}): ControlPlane {
  const { storage, clock, environment } = options;
  const keys = new ApiKeyStore(storage, clock);
  let resources: readonly Resource[] = [];
  let plans: readonly Resource[] = [];
  let taken: ReadonlySet<string> = new Set();
  return {
    keys,
    service: {
      signingName: 'apigateway',
      handle: (request, authorize) =>
        clock.track(async () => {
          const path = decodeURIComponent(request.path);
          const input = parseInput(request.body);
          authorize(listAccesses(environment, request.method, path, input, findTags(path, keys, plans)));
          return handleRequest(request, path, { keys, resources, plans, taken, input });
        }),
    },
    load(loaded) {
      resources = loaded;
      plans = resources.filter(({ type }) => type === 'AWS::ApiGateway::UsagePlan');
      const created = resources.filter(({ type }) => type === 'AWS::ApiGateway::ApiKey');
      taken = new Set(created.map(({ properties }) => String(properties.Value)));
      for (const plan of plans) keys.tagUntagged(plan.physicalId, toTags(plan));
    },
  };
}

const operations: readonly { method: string; path: RegExp; run: Operation }[] = [
  { method: 'POST', path: /^\/apikeys$/, run: createApiKey },
  { method: 'GET', path: /^\/apikeys$/, run: getApiKeys },
  { method: 'DELETE', path: /^\/apikeys\/([^/]+)$/, run: deleteApiKey },
  { method: 'GET', path: /^\/usageplans$/, run: getUsagePlans },
  { method: 'GET', path: /^\/usageplans\/([^/]+)\/keys$/, run: getUsagePlanKeys },
  { method: 'GET', path: /^\/restapis$/, run: getRestApis },
  { method: 'GET', path: /^\/restapis\/([^/]+)\/resources$/, run: getResources },
  { method: 'POST', path: /^\/usageplans\/([^/]+)\/keys$/, run: createUsagePlanKey },
];

async function handleRequest(
  request: AwsHttpRequest,
  path: string,
  tools: Omit<Call, 'id' | 'query'>,
): Promise<AwsHttpResponse> {
  const operation = operations.find((each) => each.method === request.method && each.path.test(path));
  if (!operation) throw unsupportedOperationError('apigateway', `${request.method} ${path}`);
  const id = operation.path.exec(path)?.[1] ?? '';
  const { status, body } = await operation.run({ ...tools, id, query: request.query });
  return {
    status,
    headers: { 'content-type': 'application/json' },
    body: body === undefined ? '' : JSON.stringify(body),
  };
}

/** A call with tags also needs the permission to set them. Keys of a usage plan have the tags of the plan. */
function listAccesses(
  { region }: StackEnvironment,
  method: string,
  path: string,
  { tags: requestTags = {} }: Input,
  resourceTags: Tags = {},
): Access[] {
  const toArn = (name: string) => `arn:aws:apigateway:${region}::${name}`;
  const context = {
    ...toConditionKeys('aws:RequestTag', requestTags),
    ...toConditionKeys('aws:ResourceTag', resourceTags),
    'aws:TagKeys': Object.keys(requestTags),
  };
  const access = { action: `apigateway:${method}`, resource: toArn(path), context };
  if (Object.keys(requestTags).length === 0) return [access];
  const tagged = toArn(`/tags/${encodeURIComponent(toArn(path))}%2F*`);
  return [access, { action: 'apigateway:PUT', resource: tagged, context }];
}

function toConditionKeys(name: string, tags: Tags): Record<string, string> {
  return Object.fromEntries(Object.entries(tags).map(([key, value]) => [`${name}/${key}`, String(value)]));
}

/** The tags of the key or the usage plan that a path names. */
function findTags(path: string, keys: ApiKeyStore, plans: readonly Resource[]): Tags | undefined {
  const [, kind, id = ''] = /^\/(apikeys|usageplans)\/([^/]+)/.exec(path) ?? [];
  if (kind === 'apikeys') return keys.get(id)?.tags;
  const plan = plans.find(({ physicalId }) => physicalId === id);
  return plan && toTags(plan);
}

function toTags({ properties }: Resource): Tags {
  const tags: { Key: string; Value: string }[] = properties.Tags ?? [];
  return Object.fromEntries(tags.map(({ Key, Value }) => [Key, Value]));
}

const keyFields = new Set(['name', 'value', 'enabled', 'description', 'tags']);

async function createApiKey({ keys, taken, input }: Call) {
  for (const field of Object.keys(input)) {
    if (!keyFields.has(field)) throw createBadRequest(`${field} is not supported here`);
  }
  const { name = '', value, enabled = false } = input;
  if (typeof value !== 'string' || value.length < 20 || value.length > 128) {
    throw createBadRequest('API Key value should be at least 20 and at most 128 characters');
  }
  if (taken.has(value) || keys.findByValue(value)) {
    throw new AwsError('ConflictException', 'API Key already exists', { status: 409 });
  }
  const key = await keys.create(String(name), value, enabled === true, input.tags ?? {});
  return { status: 201, body: toKeyResponse(key) };
}

async function getApiKeys({ keys, query }: Call) {
  const limit = Math.min(Number(query.get('limit') ?? 25), 500);
  const found = keys.list(query.get('name') ?? '', query.get('position') ?? '', limit + 1);
  const page = found.slice(0, limit);
  const position = found.length > limit ? { position: page.at(-1)?.id } : {};
  return { status: 200, body: { item: page.map((key) => toKeyResponse(key)), ...position } };
}

async function deleteApiKey({ keys, id }: Call) {
  if (!keys.get(id)) throw createNotFound('Invalid API Key identifier specified');
  await keys.delete(id);
  return { status: 202 };
}

async function getUsagePlans({ resources }: Call) {
  return { status: 200, body: { item: describeUsagePlans(resources) } };
}

async function getUsagePlanKeys({ resources, plans, keys, id }: Call) {
  if (!plans.some(({ physicalId }) => physicalId === id)) throw createNotFound('Invalid Usage Plan ID specified');
  return { status: 200, body: { item: describeUsagePlanKeys(resources, id, keys) } };
}

async function getRestApis({ resources }: Call) {
  return { status: 200, body: { item: describeApis(resources) } };
}

async function getResources({ resources, id, query }: Call) {
  if (query.get('embed') !== 'methods') throw createBadRequest('only embed=methods is supported here');
  const item = describeResources(resources, id);
  if (!item) throw createNotFound('Invalid API identifier specified');
  return { status: 200, body: { item } };
}

async function createUsagePlanKey({ keys, plans, id: planId, input }: Call) {
  const key = keys.get(String(input.keyId));
  if (!plans.some(({ physicalId }) => physicalId === planId)) throw createNotFound('Invalid Usage Plan ID specified');
  if (!key) throw createNotFound('Invalid API Key identifier specified');
  if (input.keyType !== 'API_KEY') throw createBadRequest('Usage Plan Key type must be API_KEY');
  if (keys.listPlans(key.id).includes(planId)) {
    throw new AwsError('ConflictException', `Usage Plan ${planId} cannot be added because API Key is already in it`, {
      status: 409,
    });
  }
  await keys.join(planId, key.id);
  return { status: 201, body: { id: key.id, type: 'API_KEY', name: key.name, value: key.value } };
}

/** Omits the value, as AWS does by default. */
function toKeyResponse({ id, name, enabled, createdMs, tags }: CreatedKey) {
  const at = Math.floor(createdMs / 1000);
  return { id, name, enabled, createdDate: at, lastUpdatedDate: at, stageKeys: [], tags };
}

function createBadRequest(message: string): AwsError {
  return new AwsError('BadRequestException', message);
}

function createNotFound(message: string): AwsError {
  return new AwsError('NotFoundException', message, { status: 404 });
}
