import { apiPrefixes } from '../contract/http.ts';
import { listPaths, type Operation } from '../contract/operation.ts';
import { operations } from '../contract/routes.ts';
import { buildGatewayResponses } from './gateway-responses.ts';

// The API in the format of API Gateway: the contract's routes under both prefixes, with their integrations and
// authorizers. The functions validate requests.

export interface GatewayBodyProps {
  title: string;
  /** The invocation address of an operation's function. */
  findIntegration(operation: Operation): string;
  unmatchedIntegration: string;
  authorizer: string;
  /** The role with which the gateway invokes all of them. */
  credentials: string;
  allowedOrigin: string | undefined;
}

export function buildGatewayBody(props: GatewayBodyProps): Record<string, unknown> {
  const paths = apiPrefixes.flatMap((prefix) => [
    ...buildPathsUnder(prefix, props),
    [`${prefix}/{proxy+}`, { [anyMethod]: buildUnmatchedMethod('/{proxy+}', props) }],
  ]);
  return {
    openapi: '3.0.1',
    info: { title: props.title, version: '1' },
    'x-amazon-apigateway-api-key-source': 'AUTHORIZER',
    paths: Object.fromEntries(paths),
    components: { securitySchemes: buildSecuritySchemes(props) },
    'x-amazon-apigateway-gateway-responses': buildGatewayResponses(props.allowedOrigin),
  };
}

/** OpenAPI requires a response. The gateway's importer warns about `default`, and a warning fails the deployment. */
const responses = { 200: { description: 'Response' } };

const anyMethod = 'x-amazon-apigateway-any-method';

function buildPathsUnder(prefix: string, props: GatewayBodyProps): [string, unknown][] {
  const paths = [...new Set(operations.flatMap(listPaths))];
  return paths.map((path) => {
    const here = operations.filter((operation) => listPaths(operation).includes(path));
    const methods = here.flatMap((operation) => {
      const definition = buildMethod(path, props.findIntegration(operation), props.credentials, toSecurity(operation));
      return listMethodNames(operation).map((name) => [name, definition]);
    });
    return [`${prefix}${path}`, { ...Object.fromEntries(methods), [anyMethod]: buildUnmatchedMethod(path, props) }];
  });
}

/** HEAD has the same integration as GET; the gateway omits the body. */
function listMethodNames({ method }: Operation): string[] {
  return method === 'GET' ? ['get', 'head'] : [method.toLowerCase()];
}

/** An empty list of requirements means that no token is needed. */
function buildUnmatchedMethod(path: string, { unmatchedIntegration, credentials }: GatewayBodyProps) {
  return buildMethod(path, unmatchedIntegration, credentials, []);
}

function buildMethod(path: string, uri: string, credentials: string, security: unknown[]) {
  const parameters = [...path.matchAll(/\{(\w+)\+?\}/g)].map(([, name = '']) => buildPathParameter(name));
  return {
    ...(parameters.length > 0 ? { parameters } : {}),
    security,
    responses,
    'x-amazon-apigateway-integration': {
      type: 'aws_proxy',
      httpMethod: 'POST',
      uri,
      credentials,
      passthroughBehavior: 'when_no_match',
      timeoutInMillis: 29_000,
    },
  };
}

function toSecurity({ access }: Operation): unknown[] {
  return access === 'public' ? [] : [{ token: [], api_key: [] }];
}

function buildSecuritySchemes({ authorizer, credentials }: GatewayBodyProps) {
  return {
    token: {
      type: 'apiKey',
      in: 'header',
      name: 'Authorization',
      'x-amazon-apigateway-authtype': 'custom',
      'x-amazon-apigateway-authorizer': {
        type: 'request',
        identitySource: 'method.request.header.Authorization',
        authorizerUri: authorizer,
        authorizerCredentials: credentials,
        authorizerResultTtlInSeconds: 300,
      },
    },
    api_key: { type: 'apiKey', in: 'header', name: 'x-api-key' },
  };
}

function buildPathParameter(name: string) {
  return { name, in: 'path', required: true, schema: { type: 'string' } };
}
