import type { Template } from 'aws-cdk-lib/assertions';
import { apiPrefixes } from '../../contract/http.ts';
import { listPaths } from '../../contract/operation.ts';
import { operations, routes as operationsByName } from '../../contract/routes.ts';
import { readConfiguration } from '../../lib/configuration.ts';
import { environments } from '../../lib/environments.ts';
import { gradualOperations } from '../../lib/gradual-deployments.ts';
import type { Check } from '../../tools/check/template-checks.ts';
import {
  inlineStatements,
  listProperties,
  local,
  type Properties,
  prod,
  resources,
  theOnly,
  toHandlerName,
} from './stack.ts';

interface Method {
  security: unknown[];
  responses: Record<string, { description: string }>;
  'x-amazon-apigateway-integration': { type: string; uri: unknown; credentials: unknown };
}

interface Body {
  paths: Record<string, Record<string, Method>>;
  components: { securitySchemes: Record<string, Record<string, unknown>> };
  'x-amazon-apigateway-api-key-source': string;
  'x-amazon-apigateway-gateway-responses': Record<string, GatewayResponse>;
}

interface GatewayResponse {
  statusCode: string;
  responseParameters: Record<string, string>;
  responseTemplates: Record<string, string>;
}

const getBody = (template: Template) => theOnly(template, 'AWS::ApiGateway::RestApi').Body as Body;
const body = getBody(prod);
const responses = Object.entries(body['x-amazon-apigateway-gateway-responses']);

const gradual = new Set([...gradualOperations].map((name) => toHandlerName(operationsByName[name])));

/** The name by which the gateway invokes a function: with the alias of one that is deployed gradually. */
const invokedName = (handler: string) => `incidents-prod--${handler}${gradual.has(handler) ? ':live' : ''}`;

/** The end of a function's address, by which the gateway invokes it. */
const addressEnd = (handler: string) => `:function:${invokedName(handler)}/invocations`;

describe('gateway routes', () => {
  const routes = apiPrefixes.flatMap((prefix) =>
    operations.map((operation) => ({
      ...operation,
      path: `${prefix}${operation.path}`,
      handler: toHandlerName(operation),
    })),
  );

  it.each(routes)(
    'routes $method $path to $name, with a token and a usage plan',
    ({ handler, method, path, access }) => {
      const methods = body.paths[path]!;
      const { security, 'x-amazon-apigateway-integration': integration } = methods[method.toLowerCase()]!;
      if (method === 'GET') expect(methods.head).toEqual(methods.get);
      expect(security).toEqual(access === 'public' ? [] : [{ token: [], api_key: [] }]);
      expect(integration.type).toBe('aws_proxy');
      expect(JSON.stringify(integration.uri)).toContain(addressEnd(handler));
    },
  );

  it.each(Object.keys(body.paths))('routes any other method of %s to the unmatched route, without a token', (path) => {
    const any = body.paths[path]!['x-amazon-apigateway-any-method']!;
    expect(any.security).toEqual([]);
    expect(JSON.stringify(any['x-amazon-apigateway-integration'].uri)).toContain(addressEnd('unmatched-route'));
  });

  it('gives every method a response with a status, as OpenAPI and the importer of the gateway require', () => {
    for (const methods of Object.values(body.paths)) {
      for (const { responses } of Object.values(methods)) {
        expect(Object.keys(responses)).toEqual(['200']);
        expect(responses[200]?.description).toEqual(expect.any(String));
      }
    }
  });

  it('has exactly the contract’s routes and the catch-all, under both prefixes', () => {
    const expected = apiPrefixes.flatMap((prefix) =>
      [...operations.flatMap(listPaths), '/{proxy+}'].map((path) => prefix + path),
    );
    expect(Object.keys(body.paths).sort()).toEqual([...new Set(expected)].sort());
  });

  it('invokes functions with one role that can invoke only functions of this stack', () => {
    const integrations = Object.values(body.paths).flatMap((methods) =>
      Object.values(methods).flatMap((method) => method['x-amazon-apigateway-integration'] ?? []),
    );
    const credentials = new Set(integrations.map((integration) => JSON.stringify(integration.credentials)));
    expect(credentials.size).toBe(1);
    const [roleId] = JSON.parse([...credentials][0]!)['Fn::GetAtt'];
    const [, role] = resources(prod, 'AWS::IAM::Role').find(([id]) => id === roleId)!;
    const statements = inlineStatements(role.Properties);
    const functions = `arn:\${AWS::Partition}:lambda:\${AWS::Region}:\${AWS::AccountId}:function:incidents-prod--*`;
    expect(statements).toEqual([
      { Effect: 'Allow', Action: 'lambda:InvokeFunction', Resource: { 'Fn::Sub': functions } },
    ]);
  });

  it("gives instances names that prevent them from invoking each other's functions", () => {
    expect(() => readConfiguration({ env: 'dev', instance: 'dev--a' })).toThrow('single hyphens');
    for (const [, { Properties }] of resources(prod, 'AWS::Lambda::Function')) {
      expect(Properties.FunctionName).toMatch(/^incidents-prod--[a-z]/);
    }
  });

  it('calls the authorizer and caches its response for five minutes', () => {
    expect(body['x-amazon-apigateway-api-key-source']).toBe('AUTHORIZER');
    expect(body.components.securitySchemes.token?.['x-amazon-apigateway-authorizer']).toMatchObject({
      type: 'request',
      identitySource: 'method.request.header.Authorization',
      authorizerResultTtlInSeconds: 300,
    });
  });
});

describe('the template', () => {
  it('of each stack stays well below CloudFormation’s limit of 1 MB', () => {
    const quotas: [string, Check[]][] = prod.toJSON().Metadata.quotas;
    const sizes = quotas.flatMap(([, checks]) => checks.filter(({ name }) => name === 'template bytes'));
    expect(sizes.length).toBeGreaterThan(4);
    expect(Math.max(...sizes.map(({ measured }) => Number(measured)))).toBeLessThan(800_000);
  });
});

describe('gateway limits', () => {
  it('allows 5,000 requests per second with bursts of 10,000 at the stage prod', () => {
    const stage = theOnly(prod, 'AWS::ApiGateway::Stage');
    expect(stage).toMatchObject({ StageName: 'prod', TracingEnabled: true });
    const limits = { ThrottlingRateLimit: 5000, ThrottlingBurstLimit: 10000 };
    const settings = stage.MethodSettings as object[];
    expect(settings[0]).toMatchObject({ HttpMethod: '*', ResourcePath: '/*', ...limits });
    for (const each of settings) expect(each).toMatchObject(limits);
  });

  it('limits each client to 100 requests per second, and counts people in the table', () => {
    const plans = listProperties(prod, 'AWS::ApiGateway::UsagePlan');
    expect(plans).toMatchObject([
      { UsagePlanName: 'prod-api-consumers', Throttle: { RateLimit: 100, BurstLimit: 200 } },
      { UsagePlanName: 'prod-people', Throttle: { RateLimit: 5000, BurstLimit: 10000 } },
    ]);
  });

  it('exempts bulk operations from the limit of a client, under both prefixes', () => {
    const limits = { RateLimit: 5000, BurstLimit: 10000 };
    const collections = ['/incidents', '/problems', '/cmdb/cis'];
    const paths = collections.flatMap((path) => apiPrefixes.map((prefix) => `${prefix}${path}/bulk`));
    const exempt = Object.fromEntries(paths.map((path) => [`${path}/POST`, limits]));
    for (const { ApiStages } of listProperties(prod, 'AWS::ApiGateway::UsagePlan')) {
      expect(ApiStages).toEqual([{ ApiId: expect.anything(), Stage: expect.anything(), Throttle: exempt }]);
    }
  });

  it('identifies every client by a key that is its client id', () => {
    const clients = resources(local, 'AWS::Cognito::UserPoolClient').map(([id]) => ({ Ref: id }));
    const keys = resources(local, 'AWS::ApiGateway::ApiKey').map(([, { Properties }]) => Properties.Value);
    expect(keys).toHaveLength(environments.local.clients.length + 3);
    expect(keys).toEqual(expect.arrayContaining(clients));
    local.resourceCountIs('AWS::ApiGateway::UsagePlanKey', keys.length);
  });

  it('writes an access log with the request id and the caller', () => {
    const { AccessLogSetting } = theOnly(prod, 'AWS::ApiGateway::Stage') as { AccessLogSetting: Properties };
    expect(JSON.parse(AccessLogSetting.Format as string)).toMatchObject({
      request_id: '$context.requestId',
      caller: '$context.authorizer.caller_id',
      status: '$context.status',
    });
  });
});

describe('gateway responses', () => {
  it.each(responses)('returns a problem document with all common headers for %s', (_type, response) => {
    const problem = JSON.parse(response.responseTemplates['application/json']!);
    expect(problem).toMatchObject({
      type: expect.stringContaining(problem.code),
      title: expect.any(String),
      status: Number(response.statusCode),
      detail: expect.any(String),
      request_id: '$context.requestId',
    });
    const header = (name: string) => response.responseParameters[`gatewayresponse.header.${name}`];
    expect(header('Content-Type')).toBe("'application/problem+json'");
    expect(header('X-Request-Id')).toBe('context.requestId');
    expect(header('X-RateLimit-Limit')).toBe("'100'");
    expect(header('X-RateLimit-Remaining')).toBe(response.statusCode === '429' ? "'0'" : "'100'");
    expect(header('X-RateLimit-Reset')).toBe("'0'");
    expect(header('Cache-Control')).toBe("'no-store'");
    expect(header('X-Content-Type-Options')).toBe("'nosniff'");
    expect(header('Access-Control-Allow-Origin')).toBeUndefined();
  });

  it.each([
    ['UNAUTHORIZED', '401', 'WWW-Authenticate', "'Bearer'"],
    ['ACCESS_DENIED', '401', 'WWW-Authenticate', "'Bearer'"],
    ['INVALID_API_KEY', '401', 'WWW-Authenticate', "'Bearer'"],
    ['THROTTLED', '429', 'Retry-After', "'1'"],
    ['QUOTA_EXCEEDED', '429', 'Retry-After', "'1'"],
    ['INTEGRATION_TIMEOUT', '503', 'Retry-After', "'1'"],
    ['INTEGRATION_FAILURE', '503', 'Retry-After', "'1'"],
  ])('maps %s to %s with %s', (type, status, name, value) => {
    const response = body['x-amazon-apigateway-gateway-responses'][type];
    expect(response?.statusCode).toBe(status);
    expect(response?.responseParameters[`gatewayresponse.header.${name}`]).toBe(value);
  });

  it.each([
    ['MISSING_AUTHENTICATION_TOKEN', '404'],
    ['REQUEST_TOO_LARGE', '413'],
    ['UNSUPPORTED_MEDIA_TYPE', '415'],
    ['BAD_REQUEST_BODY', '400'],
    ['AUTHORIZER_FAILURE', '503'],
    ['DEFAULT_4XX', '400'],
    ['DEFAULT_5XX', '500'],
  ])('maps %s to %s', (type, status) => {
    expect(body['x-amazon-apigateway-gateway-responses'][type]?.statusCode).toBe(status);
  });

  it('never returns a message of AWS', () => {
    expect(JSON.stringify(responses)).not.toContain('$context.error');
  });
});
