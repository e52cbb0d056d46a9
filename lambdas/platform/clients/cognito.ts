import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import { clientDefaults, createSharedClient } from './shared-client.ts';

export const cognitoClient = createSharedClient(() => new CognitoIdentityProviderClient(clientDefaults));
