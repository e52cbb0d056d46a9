import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import { bounded, shared } from './shared-client.ts';

export const cognitoClient = shared(() => new CognitoIdentityProviderClient(bounded));
