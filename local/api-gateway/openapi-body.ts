// The part of an API Gateway OpenAPI body that decides where a request goes: paths, methods, integrations, security.

import { requireValue } from '../require-value.ts';
import type { Shape } from '../template/resource-type.ts';

export interface Method {
  httpMethod: string;
  /** The path with its parameters: /incidents/{id}. */
  resourcePath: string;
  functionArn: string;
  /** The role that the gateway assumes to invoke the function; without one, the function needs a permission. */
  roleArn: string | undefined;
  authorizer: Authorizer | undefined;
  apiKeyRequired: boolean;
  timeoutMs: number;
}

export interface Authorizer {
  name: string;
  functionArn: string;
  roleArn: string | undefined;
  kind: 'TOKEN' | 'REQUEST';
  /** Headers that identify the caller; their values are the cache key. */
  identityHeaders: readonly string[];
  ttlSeconds: number;
}

export interface GatewayResponseDefinition {
  statusCode?: string | number;
  responseParameters?: Record<string, string>;
  responseTemplates?: Record<string, string>;
}

export interface ApiDefinition {
  methods: readonly Method[];
  gatewayResponses: Record<string, GatewayResponseDefinition>;
  apiKeySource: 'HEADER' | 'AUTHORIZER';
}

interface Body {
  paths?: Record<string, Record<string, Operation>>;
  components?: { securitySchemes?: Record<string, SecurityScheme> };
  'x-amazon-apigateway-gateway-responses'?: Record<string, GatewayResponseDefinition>;
  'x-amazon-apigateway-api-key-source'?: 'HEADER' | 'AUTHORIZER';
  [key: string]: unknown;
}

interface Operation {
  security?: readonly Record<string, unknown>[];
  'x-amazon-apigateway-integration'?: Integration;
}

interface Integration {
  type?: string;
  uri?: string;
  credentials?: string;
  timeoutInMillis?: number;
  [key: string]: unknown;
}

interface SecurityScheme {
  type?: string;
  name?: string;
  'x-amazon-apigateway-authtype'?: string;
  'x-amazon-apigateway-authorizer'?: {
    type?: string;
    authorizerUri?: string;
    authorizerCredentials?: string;
    identitySource?: string;
    authorizerResultTtlInSeconds?: number;
    [key: string]: unknown;
  };
}

const bodyKeys = [
  'openapi',
  'info',
  'paths',
  'components',
  'servers',
  'tags',
  'security',
  'x-amazon-apigateway-gateway-responses',
  'x-amazon-apigateway-api-key-source',
];
const integrationKeys: Shape = {
  type: true,
  uri: true,
  httpMethod: true,
  credentials: true,
  timeoutInMillis: true,
  passthroughBehavior: true,
};
const authorizerKeys: Shape = {
  type: true,
  authorizerUri: true,
  authorizerCredentials: true,
  identitySource: true,
  authorizerResultTtlInSeconds: true,
};
const methodNames = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'x-amazon-apigateway-any-method'];

/** Parses the body and adds everything unsupported to `problems`. */
export function parseApiBody(body: Body, problems: string[]): ApiDefinition {
  for (const key of Object.keys(body)) if (!bodyKeys.includes(key)) problems.push(`API body: ${key} is not supported`);
  const schemes = body.components?.securitySchemes ?? {};
  const authorizers = new Map<string, Authorizer>();
  for (const [name, scheme] of Object.entries(schemes)) {
    if (scheme['x-amazon-apigateway-authorizer']) authorizers.set(name, parseAuthorizer(name, scheme, problems));
  }
  const methods: Method[] = [];
  for (const [path, operations] of Object.entries(body.paths ?? {})) {
    for (const [name, operation] of Object.entries(operations)) {
      if (!methodNames.includes(name)) problems.push(`API path ${path}: ${name} is not supported`);
      else methods.push(parseMethod(path, name, operation, authorizers, problems));
    }
  }
  return {
    methods,
    gatewayResponses: body['x-amazon-apigateway-gateway-responses'] ?? {},
    apiKeySource: body['x-amazon-apigateway-api-key-source'] ?? 'HEADER',
  };
}

function parseMethod(
  path: string,
  name: string,
  operation: Operation,
  authorizers: ReadonlyMap<string, Authorizer>,
  problems: string[],
): Method {
  const where = `API ${name} ${path}`;
  const integration = operation['x-amazon-apigateway-integration'];
  if (integration?.type?.toLowerCase() !== 'aws_proxy')
    problems.push(`${where}: only aws_proxy integrations are supported`);
  reportUnknownKeys(integration ?? {}, integrationKeys, where, problems);
  const names = (operation.security ?? []).flatMap((requirement) => Object.keys(requirement));
  const authorizerNames = names.filter((each) => authorizers.has(each));
  if (authorizerNames.length > 1) problems.push(`${where}: more than one authorizer`);
  return {
    httpMethod: name === 'x-amazon-apigateway-any-method' ? 'ANY' : name.toUpperCase(),
    resourcePath: path,
    functionArn: parseFunctionArn(integration?.uri ?? '', where, problems),
    roleArn: integration?.credentials,
    authorizer: authorizers.get(authorizerNames[0] ?? ''),
    apiKeyRequired: names.some((each) => !authorizers.has(each)),
    timeoutMs: integration?.timeoutInMillis ?? 29_000,
  };
}

function parseAuthorizer(name: string, scheme: SecurityScheme, problems: string[]): Authorizer {
  const where = `API authorizer ${name}`;
  const definition = requireValue(scheme['x-amazon-apigateway-authorizer']);
  reportUnknownKeys(definition, authorizerKeys, where, problems);
  const kind = definition.type?.toUpperCase();
  if (kind !== 'TOKEN' && kind !== 'REQUEST') problems.push(`${where}: type ${definition.type} is not supported`);
  const sources = (definition.identitySource ?? `method.request.header.${scheme.name ?? 'Authorization'}`).split(',');
  const identityHeaders = sources.map((source) => /^method\.request\.header\.(.+)$/.exec(source.trim())?.[1]);
  if (identityHeaders.includes(undefined))
    problems.push(`${where}: only request headers are supported as identity sources`);
  return {
    name,
    kind: kind === 'TOKEN' ? 'TOKEN' : 'REQUEST',
    functionArn: parseFunctionArn(definition.authorizerUri ?? '', where, problems),
    roleArn: definition.authorizerCredentials,
    identityHeaders: identityHeaders.map((header) => (header ?? '').toLowerCase()),
    ttlSeconds: definition.authorizerResultTtlInSeconds ?? 300,
  };
}

function parseFunctionArn(uri: string, where: string, problems: string[]): string {
  const match = /\/functions\/(arn:[^/]+)\/invocations$/.exec(uri);
  if (!match) problems.push(`${where}: the integration must invoke a Lambda function, not ${uri}`);
  return match?.[1] ?? '';
}

function reportUnknownKeys(value: object, known: Shape, where: string, problems: string[]): void {
  for (const key of Object.keys(value)) {
    if (known !== true && known[key] === undefined) problems.push(`${where}: ${key} is not supported`);
  }
}
