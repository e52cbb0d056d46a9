import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { RemovalPolicy, Validations } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { errors, toProblem } from '../contract/errors.ts';
import { rateLimits } from '../contract/rate-limits.ts';
import { routes } from '../contract/routes.ts';
import { buildStaticHeaders } from './gateway-responses.ts';

export interface WebAclProps {
  /** The stage of the API. */
  stageArn: string;
  /** The value of the header that CloudFront adds to requests. */
  originSecret: string;
}

/** CloudFront overwrites both headers, so a request with the secret has the caller's true address. */
export const originHeaders = { secret: 'x-origin-secret', viewerAddress: 'x-viewer-address' } as const;

/** Shows the web ACL which requests came through CloudFront. CloudFormation inserts it; the template does not contain it. */
export function createOriginSecret(scope: Construct): string {
  const secret = new Secret(scope, 'OriginSecret', {
    description: 'CloudFront sends this value to the API, so that the web ACL recognizes its requests.',
    generateSecretString: { passwordLength: 40, excludePunctuation: true },
    removalPolicy: RemovalPolicy.DESTROY,
  });
  Validations.of(secret).acknowledge({
    id: 'AwsSolutions-SMG4',
    reason:
      'It grants no access: who knows it can only avoid a rate limit. A new deployment of the secret replaces it.',
  });
  return secret.secretValue.unsafeUnwrap();
}

/** Short, so that a blocked address is admitted again soon. */
const windowSeconds = 60;

/** Requests without a token have no usage plan, so only their address can be limited. */
const maxAnonymousRequests = 1_000;

/** A monitoring system sends the events of several webhooks, each with its own limit in the function, from one address. */
const maxInboundEvents = 5 * rateLimits.general.limit * (windowSeconds / rateLimits.general.windowSeconds);

/** A Content-Length of 1,050,000 or more. Operations accept 1 MB, and the gateway 10 MB. */
export const largeLength = '^(10[5-9][0-9]{4}|1[1-9][0-9]{5}|[2-9][0-9]{6}|[0-9]{8,})$';

/** Descriptions and alerts quote shell commands, stack traces, `${jndi:…}` and metadata addresses, so these rules only count. */
const countedRules: Readonly<Record<string, readonly string[]>> = {
  AWSManagedRulesKnownBadInputsRuleSet: ['JavaDeserializationRCE_BODY', 'Log4JRCE_BODY', 'ReactJSRCE_BODY'],
  AWSManagedRulesCommonRuleSet: [
    'SizeRestrictions_BODY',
    'CrossSiteScripting_BODY',
    'EC2MetaDataSSRF_BODY',
    'GenericLFI_BODY',
    'GenericRFI_BODY',
  ],
};

/** A web ACL in front of the API: AWS's managed rules, rate limits for requests without a token, and body size. */
export class WebAcl extends Construct {
  constructor(scope: Construct, id: string, { stageArn, originSecret }: WebAclProps) {
    super(scope, id);
    const rules = [
      blockLargeBodies(),
      ...limitAddresses('Anonymous', maxAnonymousRequests, not(isInbound), originSecret),
      ...limitAddresses('Inbound', maxInboundEvents, isInbound, originSecret),
      createManagedRule('AWSManagedRulesAmazonIpReputationList'),
      ...Object.keys(countedRules).map(createManagedRule),
    ];
    const acl = new CfnWebACL(this, 'Acl', {
      scope: 'REGIONAL',
      defaultAction: { allow: {} },
      visibilityConfig: measure('WebAcl'),
      customResponseBodies: {
        rate_limited: toBody('rate_limited', `Too many requests from this address. Try again in ${windowSeconds} s.`),
        payload_too_large: toBody('payload_too_large', 'The request exceeds the size limit of the gateway.'),
      },
      rules: rules.map((rule, priority) => ({ ...rule, priority, visibilityConfig: measure(rule.name) })),
    });
    new CfnWebACLAssociation(this, 'Association', { resourceArn: stageArn, webAclArn: acl.attrArn });
  }
}

type Rule = Omit<CfnWebACL.RuleProperty, 'priority' | 'visibilityConfig'>;

function createManagedRule(name: string): Rule {
  return {
    name,
    overrideAction: { none: {} },
    statement: {
      managedRuleGroupStatement: {
        vendorName: 'AWS',
        name,
        ruleActionOverrides: (countedRules[name] ?? []).map((rule) => ({ name: rule, actionToUse: { count: {} } })),
      },
    },
  };
}

/**
 * Through CloudFront, the caller's address is in a header that CloudFront sets. Requests to the gateway's own host name can
 * contain any header, so the source address of the connection counts.
 */
function limitAddresses(
  name: string,
  limit: number,
  scope: CfnWebACL.StatementProperty,
  originSecret: string,
): readonly Rule[] {
  const viaCloudFront = isFromCloudFront(originSecret);
  const limitRate = (ruleName: string, source: CfnWebACL.StatementProperty, key: object): Rule => ({
    name: ruleName,
    action: { block: { customResponse: toResponse('rate_limited', limit, { 'Retry-After': String(windowSeconds) }) } },
    statement: {
      rateBasedStatement: {
        limit,
        evaluationWindowSec: windowSeconds,
        aggregateKeyType: 'IP',
        ...key,
        scopeDownStatement: { andStatement: { statements: [not(hasToken), scope, source] } },
      },
    },
  });
  const header = { headerName: originHeaders.viewerAddress, fallbackBehavior: 'MATCH' };
  return [
    limitRate(`${name}Rate`, viaCloudFront, { aggregateKeyType: 'FORWARDED_IP', forwardedIpConfig: header }),
    limitRate(`${name}DirectRate`, not(viaCloudFront), {}),
  ];
}

type Rejection = 'rate_limited' | 'payload_too_large';

/** WAF sets the content type by the body, and knows no request id. */
function toResponse(code: Rejection, limit: number | undefined, headers: Readonly<Record<string, string>> = {}) {
  const { status } = errors[code];
  return {
    responseCode: status,
    customResponseBodyKey: code,
    responseHeaders: Object.entries({ ...buildStaticHeaders(status, limit), ...headers }).map(([name, value]) => ({
      name,
      value,
    })),
  };
}

function toBody(code: Rejection, detail: string): CfnWebACL.CustomResponseBodyProperty {
  const { request_id: _unknown, ...problem } = toProblem(code, detail, '');
  return { contentType: 'APPLICATION_JSON', content: JSON.stringify(problem) };
}

/** The address of inbound webhooks, under both prefixes. */
const isInbound: CfnWebACL.StatementProperty = {
  byteMatchStatement: {
    fieldToMatch: { uriPath: {} },
    positionalConstraint: 'CONTAINS',
    searchString: routes.receiveInboundEvent.path.replace(/\{.*$/, ''),
    textTransformations: [{ priority: 0, type: 'NONE' }],
  },
};

const hasToken: CfnWebACL.StatementProperty = {
  sizeConstraintStatement: {
    fieldToMatch: { singleHeader: { Name: 'authorization' } },
    comparisonOperator: 'GT',
    size: 0,
    textTransformations: [{ priority: 0, type: 'NONE' }],
  },
};

function isFromCloudFront(searchString: string): CfnWebACL.StatementProperty {
  return {
    byteMatchStatement: {
      fieldToMatch: { singleHeader: { Name: originHeaders.secret } },
      positionalConstraint: 'EXACTLY',
      searchString,
      textTransformations: [{ priority: 0, type: 'NONE' }],
    },
  };
}

function not(statement: CfnWebACL.StatementProperty): CfnWebACL.StatementProperty {
  return { notStatement: { statement } };
}

/** WAF reads only the first 16 KB of a body, so its length is taken from the header. */
function blockLargeBodies(): Rule {
  return {
    name: 'BodySize',
    action: { block: { customResponse: toResponse('payload_too_large', undefined) } },
    statement: {
      regexMatchStatement: {
        fieldToMatch: { singleHeader: { Name: 'content-length' } },
        regexString: largeLength,
        textTransformations: [{ priority: 0, type: 'NONE' }],
      },
    },
  };
}

function measure(metricName: string): CfnWebACL.VisibilityConfigProperty {
  return { cloudWatchMetricsEnabled: true, metricName, sampledRequestsEnabled: true };
}
