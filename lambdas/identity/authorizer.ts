import type { APIGatewayAuthorizerResult, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import type { Log } from '../platform/log.ts';
import { InvalidToken } from './access-token.ts';
import { allow, deny } from './gateway-policy.ts';
import { type Identification, identifyCaller } from './identify-caller.ts';

/** Throws when it cannot tell, for example because the user pool does not answer: the gateway then answers 503. */
export function authorizer(identification: Identification, log: Log) {
  return async (event: APIGatewayRequestAuthorizerEvent): Promise<APIGatewayAuthorizerResult> => {
    try {
      return allow(await identifyCaller(authorizationOf(event), identification), event.methodArn);
    } catch (error) {
      if (!(error instanceof InvalidToken)) throw error;
      log('info', 'token refused', { request_id: event.requestContext.requestId, reason: error.message });
      return deny('invalid_token', event.methodArn);
    }
  };
}

function authorizationOf({ headers }: APIGatewayRequestAuthorizerEvent): string | undefined {
  return Object.entries(headers ?? {}).find(([name]) => name.toLowerCase() === 'authorization')?.[1];
}
