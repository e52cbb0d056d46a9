import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { RemovalPolicy, Validations } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';

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
    description: 'Sent by CloudFront to the API; the web ACL compares it.',
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

/** Requests without a token have no usage plan, so only their address can be limited. */
const maxRequestsPerFiveMinutes = 2_000;

/** A Content-Length of 1,050,000 or more. Operations accept 1 MB, and the gateway 10 MB. */
export const largeLength = '^(10[5-9][0-9]{4}|1[1-9][0-9]{5}|[2-9][0-9]{6}|[0-9]{8,})$';

/** A web ACL in front of the API: AWS's managed rules, a rate limit for requests without a token, and body size. */
export class WebAcl extends Construct {
  constructor(scope: Construct, id: string, { stageArn, originSecret }: WebAclProps) {
    super(scope, id);
    const acl = new CfnWebACL(this, 'Acl', {
      scope: 'REGIONAL',
      defaultAction: { allow: {} },
      visibilityConfig: measure('WebAcl'),
      rules: [
        blockLargeBodies(0),
        limitViewers(1, originSecret),
        limitDirectCallers(2, originSecret),
        createManagedRule(3, 'AWSManagedRulesAmazonIpReputationList'),
        createManagedRule(4, 'AWSManagedRulesKnownBadInputsRuleSet'),
        // Descriptions of incidents contain shell commands and stack traces, so this group only counts body matches.
        createManagedRule(5, 'AWSManagedRulesCommonRuleSet', bodyRules),
      ],
    });
    new CfnWebACLAssociation(this, 'Association', { resourceArn: stageArn, webAclArn: acl.attrArn });
  }
}

const bodyRules = ['SizeRestrictions_BODY', 'CrossSiteScripting_BODY', 'GenericLFI_BODY', 'GenericRFI_BODY'];

function createManagedRule(
  priority: number,
  name: string,
  countedRules: readonly string[] = [],
): CfnWebACL.RuleProperty {
  return {
    name,
    priority,
    overrideAction: { none: {} },
    statement: {
      managedRuleGroupStatement: {
        vendorName: 'AWS',
        name,
        ruleActionOverrides: countedRules.map((rule) => ({ name: rule, actionToUse: { count: {} } })),
      },
    },
    visibilityConfig: measure(name),
  };
}

/** Requests through CloudFront: the caller's address is in a header that CloudFront sets. */
function limitViewers(priority: number, originSecret: string): CfnWebACL.RuleProperty {
  return limitRate('AnonymousRate', priority, {
    aggregateKeyType: 'FORWARDED_IP',
    forwardedIpConfig: { headerName: originHeaders.viewerAddress, fallbackBehavior: 'MATCH' },
    limit: maxRequestsPerFiveMinutes,
    scopeDownStatement: { andStatement: { statements: [not(hasToken), isFromCloudFront(originSecret)] } },
  });
}

/** Requests to the gateway's own host name can contain any header, so the source address of the connection counts. */
function limitDirectCallers(priority: number, originSecret: string): CfnWebACL.RuleProperty {
  return limitRate('AnonymousDirectRate', priority, {
    aggregateKeyType: 'IP',
    limit: maxRequestsPerFiveMinutes,
    scopeDownStatement: { andStatement: { statements: [not(hasToken), not(isFromCloudFront(originSecret))] } },
  });
}

function limitRate(
  name: string,
  priority: number,
  rateBasedStatement: CfnWebACL.RateBasedStatementProperty,
): CfnWebACL.RuleProperty {
  return {
    name,
    priority,
    action: { block: { customResponse: { responseCode: 429 } } },
    statement: { rateBasedStatement },
    visibilityConfig: measure(name),
  };
}

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
function blockLargeBodies(priority: number): CfnWebACL.RuleProperty {
  return {
    name: 'BodySize',
    priority,
    action: { block: { customResponse: { responseCode: 413 } } },
    statement: {
      regexMatchStatement: {
        fieldToMatch: { singleHeader: { Name: 'content-length' } },
        regexString: largeLength,
        textTransformations: [{ priority: 0, type: 'NONE' }],
      },
    },
    visibilityConfig: measure('BodySize'),
  };
}

function measure(metricName: string): CfnWebACL.VisibilityConfigProperty {
  return { cloudWatchMetricsEnabled: true, metricName, sampledRequestsEnabled: true };
}
