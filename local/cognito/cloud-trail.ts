// CloudTrail's event for a Cognito API call that changed something. As in AWS, user names are hidden and the sub is added.
import { randomUUID } from 'node:crypto';
import type { Caller, Input } from '../aws/service.ts';
import type { StackEnvironment } from '../template/resource-type.ts';

export interface ApiCall {
  operation: string;
  input: Input;
  output: Input;
  /** The sub of the affected user. */
  sub: string | undefined;
  caller: Caller;
  nowMs: number;
}

const hidden = 'HIDDEN_DUE_TO_SECURITY_REASONS';

/** CloudTrail sends no events for read calls by default. */
export function isChange(operation: string): boolean {
  return !/^(?:Describe|List|Get|AdminGet|AdminList)/.test(operation);
}

export function toCloudTrailEvent(call: ApiCall, { region, accountId }: StackEnvironment) {
  const { operation, input, output, sub, caller, nowMs } = call;
  const time = `${new Date(nowMs).toISOString().slice(0, -5)}Z`;
  const detail = {
    eventVersion: '1.08',
    userIdentity: toUserIdentity(caller, accountId),
    eventTime: time,
    eventSource: 'cognito-idp.amazonaws.com',
    eventName: operation,
    awsRegion: region,
    sourceIPAddress: '127.0.0.1',
    userAgent: 'aws-sdk',
    requestParameters: {
      userPoolId: input.UserPoolId,
      ...(input.Username !== undefined && { username: hidden }),
      ...(input.GroupName !== undefined && { groupName: input.GroupName }),
      ...(input.ClientId !== undefined && { clientId: input.ClientId }),
      ...(input.ClientName !== undefined && { clientName: input.ClientName }),
      ...(input.AllowedOAuthScopes !== undefined && { allowedOAuthScopes: input.AllowedOAuthScopes }),
    },
    responseElements: output?.UserPoolClient ? { userPoolClient: { clientId: output.UserPoolClient.ClientId } } : null,
    ...(sub !== undefined && { additionalEventData: { sub } }),
    requestID: randomUUID(),
    eventID: randomUUID(),
    readOnly: false,
    eventType: 'AwsApiCall',
    managementEvent: true,
    recipientAccountId: accountId,
    eventCategory: 'Management',
  };
  return {
    version: '0' as const,
    id: randomUUID(),
    source: 'aws.cognito-idp',
    'detail-type': 'AWS API Call via CloudTrail',
    account: accountId,
    time,
    region,
    resources: [],
    detail,
  };
}

function toUserIdentity({ roleArn, name }: Caller, accountId: string) {
  if (roleArn === undefined) return { type: 'IAMUser', arn: `arn:aws:iam::${accountId}:user/${name}`, userName: name };
  const role = roleArn.slice(roleArn.lastIndexOf('/') + 1);
  return {
    type: 'AssumedRole',
    arn: `arn:aws:sts::${accountId}:assumed-role/${role}/${name}`,
    sessionContext: { sessionIssuer: { type: 'Role', arn: roleArn, userName: role } },
  };
}
