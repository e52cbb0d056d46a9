import { type CfnUserPoolClient, CfnUserPoolIdentityProvider, type UserPool } from 'aws-cdk-lib/aws-cognito';
import { CfnCondition, CfnParameter, Fn, type ICfnConditionExpression, SecretValue, Stack } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import { type Environment, toInstanceName } from './environments.ts';

// The company's identity provider (docs/decisions/0145-single-sign-on.md). Its settings are options of a deployment, or
// parameters of the template on one machine, where conditions leave the provider out.

/** The function that admits people of the identity provider. */
export const federationFunction = 'federate-sign-ins';

interface ProviderDescription {
  type: 'OIDC' | 'SAML';
  details: Record<string, string>;
  condition?: CfnCondition;
}

/** Values are known, or refer to parameters. */
export interface SingleSignOnValues {
  name: string;
  issuer: string;
  /** JSON. */
  roleMapping: string;
  unmappedPeople: string;
  localPasswords: string;
  providers: readonly ProviderDescription[];
  /** Returns the first value if there is a provider. */
  choose<Value>(withProvider: Value, without: Value): Value;
}

export function describeSingleSignOn(scope: Construct, environment: Environment): SingleSignOnValues | undefined {
  const { singleSignOn } = environment;
  if (!singleSignOn) return undefined;
  if (singleSignOn === 'parameters') return describeParameters(Stack.of(scope));
  const { provider, roleMapping, ...more } = singleSignOn;
  const secretName = `${toInstanceName(environment)}/oidc-client-secret`;
  const description: ProviderDescription =
    provider.type === 'OIDC'
      ? describeOidc(
          provider.issuer,
          provider.clientId,
          provider.scopes,
          SecretValue.secretsManager(secretName).unsafeUnwrap(),
        )
      : {
          type: 'SAML',
          details: { [provider.metadata.startsWith('https:') ? 'MetadataURL' : 'MetadataFile']: provider.metadata },
        };
  return {
    ...more,
    issuer: provider.type === 'OIDC' ? provider.issuer : '',
    roleMapping: JSON.stringify(roleMapping),
    providers: [description],
    choose: (withProvider) => withProvider,
  };
}

function describeOidc(issuer: string, clientId: string, scopes: string, secret: string): ProviderDescription {
  const details = {
    oidc_issuer: issuer,
    client_id: clientId,
    client_secret: secret,
    authorize_scopes: scopes,
    attributes_request_method: 'GET',
  };
  return { type: 'OIDC', details };
}

/** Both stacks have the parameters and conditions; each refers to its own. */
function describeParameters(stack: Stack): SingleSignOnValues {
  const read = (id: string, description: string, initial = '') => {
    const existing = stack.node.tryFindChild(id) as CfnParameter | undefined;
    const parameter = existing ?? new CfnParameter(stack, id, { type: 'String', description, default: initial });
    return parameter.valueAsString;
  };
  const define = (id: string, expression: ICfnConditionExpression) =>
    (stack.node.tryFindChild(id) as CfnCondition | undefined) ?? new CfnCondition(stack, id, { expression });
  const name = read('SsoName', 'The name of the identity provider; empty: there is none.');
  const issuer = read('OidcIssuer', 'The OpenID provider of the company; empty: the provider uses SAML.');
  const hasProvider = define('HasIdentityProvider', Fn.conditionNot(Fn.conditionEquals(name, '')));
  const hasOidc = define('HasOidcProvider', Fn.conditionNot(Fn.conditionEquals(issuer, '')));
  const hasSaml = define('HasSamlProvider', Fn.conditionAnd(hasProvider, Fn.conditionNot(hasOidc)));
  const oidc = describeOidc(
    issuer,
    read('OidcClientId', 'The client of this service at the OpenID provider.'),
    read('OidcScopes', 'What the OpenID provider tells about people.'),
    read('OidcSecret', 'The secret of this client.'),
  );
  const details = {
    MetadataURL: read('SamlMetadataUrl', 'Where the SAML metadata of the company is.'),
    MetadataFile: read('SamlMetadataFile', 'The SAML metadata of the company, instead of its address.'),
  };
  return {
    name,
    issuer,
    roleMapping: read('RoleMapping', 'The roles of groups of the identity provider, as JSON.', '{}'),
    unmappedPeople: read('UnmappedPeople', 'What people without a mapped group get.', 'viewer'),
    localPasswords: read('LocalPasswords', 'Whether the console offers passwords.', 'shown'),
    providers: [
      { ...oidc, condition: hasOidc },
      { type: 'SAML', details, condition: hasSaml },
    ],
    choose: <Value>(withProvider: Value, without: Value) =>
      Fn.conditionIf(hasProvider.logicalId, withProvider, without) as Value,
  };
}

/** The attributes have these names after the trigger; before it, providers have names of their own. */
const attributeMapping = { email: 'email', email_verified: 'email_verified', name: 'name' };

export function createProviders(
  scope: Construct,
  userPool: UserPool,
  { name, providers }: SingleSignOnValues,
): CfnUserPoolIdentityProvider[] {
  return providers.map(({ type, details, condition }) => {
    const provider = new CfnUserPoolIdentityProvider(scope, `${type}Provider`, {
      userPoolId: userPool.userPoolId,
      providerName: name,
      providerType: type,
      providerDetails: details,
      attributeMapping,
    });
    if (condition) provider.cfnOptions.condition = condition;
    return provider;
  });
}

/** Hiding passwords is up to the pages: a local administrator must be able to sign in when the provider is down. */
export function offerProvider(client: CfnUserPoolClient, { name, choose }: SingleSignOnValues): void {
  client.addPropertyOverride('SupportedIdentityProviders', ['COGNITO', choose<unknown>(name, noValue)]);
}

/** The triggers of the user pool. Token generation runs at every sign-in and every refresh. */
export function describeTriggers(functionArn: string, { choose }: SingleSignOnValues): Record<string, unknown> {
  return {
    InboundFederation: choose<unknown>({ LambdaArn: functionArn, LambdaVersion: 'V1_0' }, noValue),
    PreTokenGeneration: choose<unknown>(functionArn, noValue),
  };
}

const noValue = { Ref: 'AWS::NoValue' };
