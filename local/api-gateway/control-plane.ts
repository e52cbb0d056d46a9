// The API Gateway operations for API keys and usage plan keys, and those that describe the API; all others are rejected.
import { AwsError } from '../aws/error.ts';
import {
  type AwsHttpRequest,
  type AwsHttpResponse,
  type AwsService,
  type Input,
  parseInput,
  unsupportedOperation,
} from '../aws/service.ts';
import type { Clock } from '../clock/clock.ts';
import type { Storage } from '../storage/storage.ts';
import type { Resource, StackEnvironment } from '../template/resource-type.ts';
import { ApiKeyStore, type CreatedKey } from './api-key-store.ts';
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
        clock.busy(async () => {
          const path = decodeURIComponent(request.path);
          const resource = `arn:aws:apigateway:${environment.region}::${path}`;
          authorize([{ action: `apigateway:${request.method}`, resource }]);
          return handleRequest(request, path, { keys, resources, plans, taken });
        }),
    },
    load(loaded) {
      resources = loaded;
      plans = resources.filter(({ type }) => type === 'AWS::ApiGateway::UsagePlan');
      const created = resources.filter(({ type }) => type === 'AWS::ApiGateway::ApiKey');
      taken = new Set(created.map(({ properties }) => String(properties.Value)));
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
  tools: Pick<Call, 'keys' | 'resources' | 'plans' | 'taken'>,
): Promise<AwsHttpResponse> {
  const operation = operations.find((each) => each.method === request.method && each.path.test(path));
  if (!operation) throw unsupportedOperation('apigateway', `${request.method} ${path}`);
  const input = parseInput(request.body);
  const id = operation.path.exec(path)?.[1] ?? '';
  const { status, body } = await operation.run({ ...tools, id, query: request.query, input });
  return {
    status,
    headers: { 'content-type': 'application/json' },
    body: body === undefined ? '' : JSON.stringify(body),
  };
}

const keyFields = new Set(['name', 'value', 'enabled', 'description']);

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
  return { status: 201, body: toKeyResponse(await keys.create(String(name), value, enabled === true)) };
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
function toKeyResponse({ id, name, enabled, createdMs }: CreatedKey) {
  const at = Math.floor(createdMs / 1000);
  return { id, name, enabled, createdDate: at, lastUpdatedDate: at, stageKeys: [] };
}

function createBadRequest(message: string): AwsError {
  return new AwsError('BadRequestException', message);
}

function createNotFound(message: string): AwsError {
  return new AwsError('NotFoundException', message, { status: 404 });
}
