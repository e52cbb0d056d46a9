import type { APIGatewayAuthorizerResult } from 'aws-lambda';
import { type Caller, toAuthorizerContext } from '../platform/caller.ts';

// The authorizer's answer in the gateway's terms. The gateway keeps it per token and applies it to every route, so it
// speaks for the whole stage; roles are checked by the routes.

export function allow(caller: Caller, methodArn: string): APIGatewayAuthorizerResult {
  return {
    principalId: caller.id,
    policyDocument: policy('Allow', methodArn),
    context: toAuthorizerContext(caller),
    // The usage plans know each consumer by an API key whose value is its client id.
    usageIdentifierKey: caller.clientId,
  };
}

/** A refusal is an answer too: the gateway keeps it, and a bad token that is sent again costs nothing. */
export function deny(reason: string, methodArn: string): APIGatewayAuthorizerResult {
  return { principalId: 'unknown', policyDocument: policy('Deny', methodArn), context: { reason } };
}

function policy(effect: 'Allow' | 'Deny', methodArn: string): APIGatewayAuthorizerResult['policyDocument'] {
  const stage = methodArn.split('/').slice(0, 2).join('/');
  return {
    Version: '2012-10-17',
    Statement: [{ Action: 'execute-api:Invoke', Effect: effect, Resource: `${stage}/*` }],
  };
}
