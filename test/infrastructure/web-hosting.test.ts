import type { Template } from 'aws-cdk-lib/assertions';
import { checkAddresses } from '../../tools/check/template-checks.ts';
import { listStatements, local, type Properties, prod, resources, theOnly, withOptions } from './stack.ts';

const optional = withOptions();

interface Behavior {
  PathPattern?: string;
  AllowedMethods: string[];
  CachePolicyId: string;
  OriginRequestPolicyId?: string;
  Compress: boolean;
}

interface DistributionConfig {
  Aliases?: string[];
  ViewerCertificate?: Properties;
  DefaultCacheBehavior: Behavior;
  CacheBehaviors: Behavior[];
  CustomErrorResponses: { ErrorCode: number; ErrorCachingMinTTL: number; ResponsePagePath?: string }[];
}

const distribution = (template: Template) =>
  theOnly(template, 'AWS::CloudFront::Distribution').DistributionConfig as DistributionConfig;

describe('addresses', () => {
  it.each([
    ['prod', prod],
    ['all options', optional],
  ])('have no circular reference with %s', (_name, template) => {
    expect(findCycle(template)).toBeUndefined();
  });

  it.each([
    ['prod', prod],
    ['all options', optional],
  ])('contain no placeholders with %s', (_name, template) => {
    expect(checkAddresses(template.toJSON() as Parameters<typeof checkAddresses>[0]).problems).toEqual([]);
  });

  it('are CloudFront’s own without a domain', () => {
    const host = { 'Fn::GetAtt': [resources(prod, 'AWS::CloudFront::Distribution')[0]?.[0], 'DomainName'] };
    const url = { 'Fn::Join': ['', ['https://', host]] };
    for (const [, { Properties }] of resources(prod, 'AWS::Lambda::Function')) {
      expect(Properties.Environment).toMatchObject({ Variables: { ALLOWED_ORIGIN: url, SERVICE_DOMAIN: host } });
    }
    prod.hasResourceProperties('AWS::Cognito::UserPoolClient', {
      ClientName: 'console',
      CallbackURLs: [{ 'Fn::Join': ['', ['https://', host, '/console/']] }],
    });
    expect(prod.toJSON().Outputs.ApiUrl.Value).toEqual(url);
    expect(distribution(prod).Aliases).toBeUndefined();
  });

  it('use the domain if there is one', () => {
    expect(distribution(optional)).toMatchObject({
      Aliases: ['incidents.acme.org'],
      ViewerCertificate: { MinimumProtocolVersion: 'TLSv1.2_2021' },
    });
    expect(optional.toJSON().Outputs.ApiUrl.Value).toBe('https://incidents.acme.org');
    const body = JSON.stringify(theOnly(optional, 'AWS::ApiGateway::RestApi').Body);
    expect(body).toContain("'https://incidents.acme.org'");
  });

  it('have a hosted login that is unique to the account and the instance', () => {
    const prefix = (template: Template) => theOnly(template, 'AWS::Cognito::UserPoolDomain').Domain;
    expect(prefix(prod)).toEqual({ 'Fn::Join': ['', ['incidents-prod-', { Ref: 'AWS::AccountId' }]] });
    expect(prefix(optional)).toEqual({ 'Fn::Join': ['', ['incidents-all-options-', { Ref: 'AWS::AccountId' }]] });
  });

  it('share no names between two instances of one account', () => {
    const [one, other] = [prod, optional].map(physicalNames);
    expect(one?.size).toBeGreaterThan(50);
    expect([...(other ?? [])].filter((name) => one?.has(name))).toEqual([]);
  });

  it('leave room for the longest instance name in the names of functions', () => {
    const names = resources(prod, 'AWS::Lambda::Function').map(([, { Properties }]) => String(Properties.FunctionName));
    const lengths = names.map((name) => name.length - 'prod'.length + 20);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(64);
  });
});

describe('distribution', () => {
  const { DefaultCacheBehavior: other, CacheBehaviors, CustomErrorResponses } = distribution(prod);
  const behavior = (pattern: string) => CacheBehaviors.find(({ PathPattern }) => PathPattern === pattern);

  it('forwards API requests unchanged and without caching', () => {
    expect(behavior('/prod/*')).toMatchObject({
      AllowedMethods: expect.arrayContaining(['PATCH', 'DELETE', 'POST']),
      // CachingDisabled and AllViewerExceptHostHeader.
      CachePolicyId: '4135ea2d-6df8-44a3-9df3-4b5a84be39ad',
      OriginRequestPolicyId: 'b689b0a8-53d0-40ab-baf2-68738e2966ac',
      Compress: false,
    });
  });

  it('compresses the console and serves it to browsers only over TLS', () => {
    for (const files of [other, behavior('/console/*')]) {
      expect(files).toMatchObject({
        AllowedMethods: ['GET', 'HEAD'],
        Compress: true,
        ViewerProtocolPolicy: 'redirect-to-https',
      });
    }
  });

  it('neither caches nor replaces errors', () => {
    expect(CustomErrorResponses.map(({ ErrorCode }) => ErrorCode)).toEqual(expect.arrayContaining([404, 500, 503]));
    for (const response of CustomErrorResponses) expect(response).toEqual({ ...response, ErrorCachingMinTTL: 0 });
    expect(CustomErrorResponses.filter(({ ResponsePagePath }) => ResponsePagePath)).toEqual([]);
  });

  it('lets the console run only scripts from files', () => {
    const { ResponseHeadersPolicyConfig } = theOnly(local, 'AWS::CloudFront::ResponseHeadersPolicy');
    const text = JSON.stringify(ResponseHeadersPolicyConfig);
    expect(text).toContain("default-src 'self'");
    expect(text).not.toMatch(/script-src|unsafe-eval/);
  });

  it('lets only the publisher write the files', () => {
    const onBucket = listStatements(prod, 'publish-console').filter(({ Resource }) =>
      JSON.stringify(Resource).includes('ConsoleBucket'),
    );
    expect(onBucket.flatMap(({ Action }) => Action)).toEqual([
      's3:GetObject',
      's3:PutObject',
      's3:DeleteObject',
      's3:ListBucket',
    ]);
  });
});

/** The logical ids of a circular reference, which CloudFormation would reject. */
function findCycle(template: Template): string[] | undefined {
  const all: Record<string, unknown> = template.toJSON().Resources;
  const done = new Set<string>();
  const visit = (id: string, path: readonly string[]): string[] | undefined => {
    if (path.includes(id)) return [...path.slice(path.indexOf(id)), id];
    if (done.has(id)) return undefined;
    for (const next of references(all[id])) {
      const cycle = next in all ? visit(next, [...path, id]) : undefined;
      if (cycle) return cycle;
    }
    done.add(id);
    return undefined;
  };
  for (const id of Object.keys(all)) {
    const cycle = visit(id, []);
    if (cycle) return cycle;
  }
  return undefined;
}

function references(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(references);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    if (name === 'Ref') return [String(inner)];
    if (name === 'Fn::GetAtt') return [String([inner].flat()[0]).split('.')[0] ?? ''];
    if (name === 'DependsOn') return [inner].flat().map(String);
    if (name === 'Fn::Sub') {
      const text = String([inner].flat()[0]);
      return [...text.matchAll(/\$\{([\w:]+)/g)].map(([, id]) => id ?? '').concat(references(inner));
    }
    return references(inner);
  });
}

/** Names that are unique in an account or a region; those that CloudFormation makes are not in the template. */
function physicalNames(template: Template): Set<string> {
  const named = Object.values(template.toJSON().Resources as Record<string, { Type: string; Properties?: Properties }>);
  const names = ['FunctionName', 'StateMachineName', 'UsagePlanName', 'TableName', 'BucketName', 'QueueName', 'Domain'];
  return new Set(
    named.flatMap(({ Type, Properties: properties = {} }) => {
      if (/Lambda::(?:EventSourceMapping|Permission|Version|Alias)/.test(Type)) return [];
      const { FunctionConfig: _comment, Name: name, ...others } = properties;
      const given = names.map((key) => others[key]).concat(Type.startsWith('AWS::CloudFront') ? [name] : []);
      return given.filter((value) => value !== undefined).map((value) => `${Type} ${JSON.stringify(value)}`);
    }),
  );
}
