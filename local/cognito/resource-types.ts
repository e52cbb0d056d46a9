// The supported resource types of user pools. Physical ids derive from the stack's name and the logical id, so Ref is the
// same at every start. A client's secret is random and only in the storage, so Fn::GetAtt ClientSecret is rejected.
import { createHash } from 'node:crypto';
import type { Properties, ResourceTypes, StackEnvironment } from '../template/resource-type.ts';

const noMail = 'no e-mail or text message leaves this machine';
const label = 'a label for people and bills';
const ownPage = 'the login page is the runtime’s own';

export const resourceTypes: ResourceTypes = {
  'AWS::Cognito::UserPool': {
    ref: poolId,
    attributes: (logicalId, properties, environment) => {
      const id = poolId(logicalId, properties, environment);
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
      AliasAttributes: true,
      UsernameConfiguration: { CaseSensitive: true },
      AdminCreateUserConfig: {
        AllowAdminCreateUserOnly: true,
        InviteMessageTemplate: true,
        UnusedAccountValidityDays: true,
      },
      MfaConfiguration: true,
      LambdaConfig: { PreAuthentication: true, PostAuthentication: true },
      Policies: {
        PasswordPolicy: {
          MinimumLength: true,
          RequireLowercase: true,
          RequireUppercase: true,
          RequireNumbers: true,
          RequireSymbols: true,
          TemporaryPasswordValidityDays: true,
          PasswordHistorySize: true,
        },
        SignInPolicy: { AllowedFirstAuthFactors: true },
      },
      Schema: {
        Name: true,
        AttributeDataType: true,
        Required: true,
        Mutable: true,
        DeveloperOnlyAttribute: true,
        StringAttributeConstraints: true,
        NumberAttributeConstraints: true,
      },
    },
    ignored: {
      AccountRecoverySetting: noMail,
      AutoVerifiedAttributes: noMail,
      EmailConfiguration: noMail,
      EmailVerificationMessage: noMail,
      EmailVerificationSubject: noMail,
      EmailAuthenticationMessage: noMail,
      EmailAuthenticationSubject: noMail,
      SmsConfiguration: noMail,
      SmsVerificationMessage: noMail,
      SmsAuthenticationMessage: noMail,
      VerificationMessageTemplate: noMail,
      UserAttributeUpdateSettings: noMail,
      EnabledMfas: 'MFA is optional at most here, and users cannot enrol',
      DeviceConfiguration: 'devices matter for MFA only',
      DeletionProtection: 'nothing deletes a pool on one machine',
      UserPoolAddOns: 'no risk scoring on one machine',
      UserPoolTier: 'a price list',
      UserPoolTags: label,
    },
  },
  'AWS::Cognito::UserPoolDomain': {
    ref: (_logicalId, properties) => properties.Domain,
    supported: { Domain: true, UserPoolId: true },
    ignored: {
      CustomDomainConfig: 'the endpoints are served under the runtime’s own address, without certificates',
      ManagedLoginVersion: ownPage,
    },
  },
  'AWS::Cognito::ManagedLoginBranding': {
    ref: (logicalId, _properties, environment) => stableText(environment, logicalId, 26),
    attributes: (logicalId, _properties, environment) => ({
      ManagedLoginBrandingId: stableText(environment, logicalId, 26),
    }),
    supported: { UserPoolId: true },
    ignored: {
      ClientId: ownPage,
      Settings: ownPage,
      Assets: ownPage,
      UseCognitoProvidedValues: ownPage,
      ReturnMergedResources: ownPage,
    },
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
    ref: (logicalId, _properties, environment) => stableText(environment, logicalId, 26),
    attributes: (logicalId, properties, environment) => ({
      ClientId: stableText(environment, logicalId, 26),
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
      DefaultRedirectURI: true,
      AccessTokenValidity: true,
      IdTokenValidity: true,
      RefreshTokenValidity: true,
      TokenValidityUnits: { AccessToken: true, IdToken: true, RefreshToken: true },
      ReadAttributes: true,
      SupportedIdentityProviders: true,
      EnableTokenRevocation: true,
      PreventUserExistenceErrors: true,
    },
    ignored: {
      ExplicitAuthFlows: 'users sign in on the login page; the sign-in operations of the API are rejected',
      WriteAttributes: 'users cannot change their own attributes here',
      AuthSessionValidity: 'sessions of the sign-in operations, which are rejected',
      EnablePropagateAdditionalUserContextData: 'no risk scoring on one machine',
    },
  },
  'AWS::Cognito::UserPoolGroup': {
    ref: groupName,
    supported: { UserPoolId: true, GroupName: true, Description: true, Precedence: true },
  },
  'AWS::Cognito::UserPoolUser': {
    ref: (_logicalId, properties) => properties.Username,
    supported: { UserPoolId: true, Username: true, UserAttributes: { Name: true, Value: true } },
    ignored: {
      DesiredDeliveryMediums: noMail,
      MessageAction: noMail,
      ForceAliasCreation: 'an alias never moves to another user here',
    },
  },
  'AWS::Cognito::UserPoolUserToGroupAttachment': {
    ref: (logicalId, _properties, environment) => `UserToGroupAttachment-${stableText(environment, logicalId, 12)}`,
    supported: { UserPoolId: true, Username: true, GroupName: true },
  },
};

export function groupName(logicalId: string, properties: Properties, environment: StackEnvironment): string {
  return properties.GroupName ?? `${environment.stackName}-${logicalId}`;
}

function poolId(logicalId: string, _properties: Properties, environment: StackEnvironment): string {
  const letters = digest(environment, logicalId)
    .toString('base64')
    .replace(/[^A-Za-z0-9]/g, '');
  return `${environment.region}_${letters.slice(0, 9)}`;
}

/** Lower-case letters and digits, as Cognito's client ids are. */
function stableText(environment: StackEnvironment, logicalId: string, length: number): string {
  return BigInt(`0x${digest(environment, logicalId).toString('hex')}`)
    .toString(36)
    .padStart(length, '0')
    .slice(-length);
}

function digest(environment: StackEnvironment, logicalId: string): Buffer {
  return createHash('sha256').update(`${environment.stackName}/${logicalId}`).digest();
}
