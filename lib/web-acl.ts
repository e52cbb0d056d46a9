import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';

export interface WebAclProps {
  /** The stage of the API. */
  stageArn: string;
}

/** Requests without a token have no usage plan, so only their address can be limited. */
const maxRequestsPerFiveMinutes = 2_000;

/** A Content-Length of 1,050,000 or more. Operations accept 1 MB, and the gateway 10 MB. */
export const largeLength = '^(10[5-9][0-9]{4}|1[1-9][0-9]{5}|[2-9][0-9]{6}|[0-9]{8,})$';

/** A web ACL in front of the API: AWS's managed rules, a rate limit for requests without a token, and body size. */
export class WebAcl extends Construct {
  constructor(scope: Construct, id: string, { stageArn }: WebAclProps) {
    super(scope, id);
    const acl = new CfnWebACL(this, 'Acl', {
      scope: 'REGIONAL',
      defaultAction: { allow: {} },
      visibilityConfig: measure('WebAcl'),
      rules: [
        blockLargeBodies(0),
        limitAnonymous(1),
        managed(2, 'AWSManagedRulesAmazonIpReputationList'),
        managed(3, 'AWSManagedRulesKnownBadInputsRuleSet'),
        // Descriptions of incidents contain shell commands and stack traces, so this group only counts body matches.
        managed(4, 'AWSManagedRulesCommonRuleSet', bodyRules),
      ],
    });
    new CfnWebACLAssociation(this, 'Association', { resourceArn: stageArn, webAclArn: acl.attrArn });
  }
}

const bodyRules = ['SizeRestrictions_BODY', 'CrossSiteScripting_BODY', 'GenericLFI_BODY', 'GenericRFI_BODY'];

function managed(priority: number, name: string, countedRules: readonly string[] = []): CfnWebACL.RuleProperty {
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

/** Requests arrive through CloudFront, so the caller's address is in the header and not in the packet. */
function limitAnonymous(priority: number): CfnWebACL.RuleProperty {
  const hasToken = {
    sizeConstraintStatement: {
      fieldToMatch: { singleHeader: { Name: 'authorization' } },
      comparisonOperator: 'GT',
      size: 0,
      textTransformations: [{ priority: 0, type: 'NONE' }],
    },
  };
  return {
    name: 'AnonymousRate',
    priority,
    action: { block: { customResponse: { responseCode: 429 } } },
    statement: {
      rateBasedStatement: {
        aggregateKeyType: 'FORWARDED_IP',
        forwardedIpConfig: { headerName: 'X-Forwarded-For', fallbackBehavior: 'NO_MATCH' },
        limit: maxRequestsPerFiveMinutes,
        scopeDownStatement: { notStatement: { statement: hasToken } },
      },
    },
    visibilityConfig: measure('AnonymousRate'),
  };
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
