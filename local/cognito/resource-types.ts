// The supported resource types of user pools. Physical ids derive from the stack's name and the logical id, so Ref is the
// same at every start. A client's secret is random and only in the storage, so Fn::GetAtt ClientSecret is rejected.
import { createHash } from 'node:crypto';
import type { Properties, ResourceTypes, StackEnvironment } from '../template/resource-type.ts';

const noMail = 'no e-mail or text message leaves this machine';
const label = 'a label for people and bills';

export const resourceTypes: ResourceTypes = {
  'AWS::Cognito::UserPool': {
    ref: toPoolId,
    attributes: (logicalId, properties, environment) => {
      const id = toPoolId(logicalId, properties, environment);
      return {
        Arn: `arn:aws:cognito-idp:${environment.region}:${environment.accountId}:userpool/${id}`,
        ProviderName: `cognito-idp.${environment.region}.amazonaws.com/${id}`,
        ProviderURL: `${environment.publicUrl}/${id}`,
        UserPoolId: id,
      };
    },
    supported: {
      UserPoolName: true,
      UsernameAttributes: true,
      UsernameConfiguration: { CaseSensitive: true },
      AdminCreateUserConfig: { AllowAdminCreateUserOnly: true },
      MfaConfiguration: true,
      LambdaConfig: {
        PreAuthentication: true,
        PostAuthentication: true,
        PreTokenGeneration: true,
        InboundFederation: { LambdaArn: true, LambdaVersion: true },
      },
      Policies: {
        PasswordPolicy: {
          MinimumLength: true,
          RequireLowercase: true,
          RequireUppercase: true,
          RequireNumbers: true,
          RequireSymbols: true,
          TemporaryPasswordValidityDays: true,
        },
      },
      Schema: { Name: true, Required: true, Mutable: true, AttributeDataType: true, StringAttributeConstraints: true },
    },
    ignored: {
      AccountRecoverySetting: noMail,
      AutoVerifiedAttributes: noMail,
      EmailVerificationMessage: noMail,
      EmailVerificationSubject: noMail,
      SmsVerificationMessage: noMail,
      VerificationMessageTemplate: noMail,
      EnabledMfas: 'MFA is optional at most here, and users cannot enrol',
      DeletionProtection: 'nothing deletes a pool on one machine',
      UserPoolTier: 'a price list',
      UserPoolTags: label,
    },
  },
  'AWS::Cognito::UserPoolDomain': {
    ref: (_logicalId, properties) => properties.Domain,
    supported: { Domain: true, UserPoolId: true },
  },
  'AWS::Cognito::UserPoolResourceServer': {
    ref: (_logicalId, properties) => properties.Identifier,
    supported: {
      UserPoolId: true,
      Identifier: true,
      Name: true,
      Scopes: { ScopeName: true, ScopeDescription: true },
    },
  },
  'AWS::Cognito::UserPoolClient': {
    ref: (logicalId, _properties, environment) => deriveText(environment, logicalId, 26),
    attributes: (logicalId, properties, environment) => ({
      ClientId: deriveText(environment, logicalId, 26),
      Name: properties.ClientName ?? `${environment.stackName}-${logicalId}`,
    }),
    supported: {
      UserPoolId: true,
      ClientName: true,
      GenerateSecret: true,
      AllowedOAuthFlows: true,
      AllowedOAuthFlowsUserPoolClient: true,
      AllowedOAuthScopes: true,
      CallbackURLs: true,
      LogoutURLs: true,
      AccessTokenValidity: true,
      IdTokenValidity: true,
      RefreshTokenValidity: true,
      TokenValidityUnits: { AccessToken: true, IdToken: true, RefreshToken: true },
      SupportedIdentityProviders: true,
      EnableTokenRevocation: true,
      PreventUserExistenceErrors: true,
    },
    ignored: {
      ExplicitAuthFlows: 'users sign in on the login page; the sign-in operations of the API are rejected',
    },
  },
  'AWS::Cognito::UserPoolIdentityProvider': {
    ref: (_logicalId, properties) => properties.ProviderName,
    supported: {
      UserPoolId: true,
      ProviderName: true,
      ProviderType: true,
      ProviderDetails: {
        oidc_issuer: true,
        client_id: true,
        client_secret: true,
        authorize_scopes: true,
        attributes_request_method: true,
        MetadataURL: true,
        MetadataFile: true,
      },
      AttributeMapping: true,
    },
  },
  'AWS::Cognito::UserPoolGroup': {
    ref: toGroupName,
    supported: { UserPoolId: true, GroupName: true, Description: true, Precedence: true },
  },
};

export function toGroupName(logicalId: string, properties: Properties, environment: StackEnvironment): string {
  return properties.GroupName ?? `${environment.stackName}-${logicalId}`;
}

function toPoolId(logicalId: string, _properties: Properties, environment: StackEnvironment): string {
  const letters = digest(environment, logicalId)
    .toString('base64')
    .replace(/[^A-Za-z0-9]/g, '');
  return `${environment.region}_${letters.slice(0, 9)}`;
}

/** Lower-case letters and digits, as Cognito's client ids are. */
function deriveText(environment: StackEnvironment, logicalId: string, length: number): string {
  return BigInt(`0x${digest(environment, logicalId).toString('hex')}`)
    .toString(36)
    .padStart(length, '0')
    .slice(-length);
}

function digest(environment: StackEnvironment, logicalId: string): Buffer {
  return createHash('sha256').update(`${environment.stackName}/${logicalId}`).digest();
}
