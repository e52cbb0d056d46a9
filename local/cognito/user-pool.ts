// Parses the user pools of a template. Unsupported features (required MFA, self sign-up, implicit grant…) are
// rejected in one list.
import { requireValue } from '../require-value.ts';
import { isTrue, type Properties, type Resource, type StackEnvironment } from '../template/resource-type.ts';
import { assertSupported } from '../template/template.ts';
import { type ClientSettings, findClientProblem, parseClientSettings } from './client.ts';
import { type IdentityProvider, parseProvider } from './identity-provider.ts';
import { type PasswordPolicy, parsePasswordPolicy } from './password.ts';
import { toGroupName } from './resource-types.ts';

export interface Group {
  name: string;
  description: string | undefined;
  precedence: number | undefined;
}

export interface TemplateClient {
  clientId: string;
  settings: ClientSettings;
}

export interface UserPool {
  id: string;
  arn: string;
  name: string;
  /** The `iss` of every token. */
  issuer: string;
  /** The prefix of the hosted endpoints; a pool without a domain has no endpoints. */
  domain: string | undefined;
  passwordPolicy: PasswordPolicy;
  caseSensitive: boolean;
  /** Attributes that the template declares, by full name (custom:…). */
  attributes: ReadonlyMap<string, { required: boolean; mutable: boolean }>;
  /** The standard scopes and the scopes of the resource servers. */
  scopes: ReadonlySet<string>;
  /** ARNs of the functions that a sign-in calls. */
  triggers: Readonly<
    Partial<Record<'PreAuthentication' | 'PostAuthentication' | 'PreTokenGeneration', string>> & {
      InboundFederation?: { LambdaArn: string; LambdaVersion: string };
    }
  >;
  identityProviders: IdentityProvider[];
  groups: Group[];
  clients: TemplateClient[];
}

export const standardScopes = ['openid', 'email', 'phone', 'profile', 'aws.cognito.signin.user.admin'] as const;

export const standardAttributes: ReadonlySet<string> = new Set([
  ...[
    'sub',
    'name',
    'given_name',
    'family_name',
    'middle_name',
    'nickname',
    'preferred_username',
    'profile',
    'picture',
  ],
  ...['website', 'email', 'email_verified', 'gender', 'birthdate', 'zoneinfo', 'locale', 'phone_number'],
  ...['phone_number_verified', 'address', 'updated_at'],
]);

export function parseUserPools(resources: readonly Resource[], environment: StackEnvironment): UserPool[] {
  const problems: string[] = [];
  const findByType = (type: string) => resources.filter((resource) => resource.type === `AWS::Cognito::${type}`);
  const pools = findByType('UserPool').map((resource) => parsePool(resource, environment, problems));
  const findPool = ({ logicalId, properties }: Resource): UserPool | undefined => {
    const pool = pools.find(({ id }) => id === properties.UserPoolId);
    if (!pool) problems.push(`${logicalId}: no user pool ${properties.UserPoolId} in the template`);
    return pool;
  };
  const domains = findByType('UserPoolDomain');
  if (domains.length > 1) {
    problems.push(`${domains.map(({ logicalId }) => logicalId).join(', ')}: only one pool can have a domain`);
  }
  for (const resource of domains) set(findPool(resource), (pool) => ({ ...pool, domain: resource.properties.Domain }));
  for (const resource of findByType('UserPoolResourceServer')) addScopes(findPool(resource), resource);
  for (const resource of findByType('UserPoolGroup')) {
    const { properties, logicalId } = resource;
    findPool(resource)?.groups.push({
      name: toGroupName(logicalId, properties, environment),
      description: properties.Description,
      precedence: properties.Precedence === undefined ? undefined : Number(properties.Precedence),
    });
  }
  for (const resource of findByType('UserPoolIdentityProvider'))
    findPool(resource)?.identityProviders.push(parseProvider(resource, problems));
  for (const resource of findByType('UserPoolClient')) addClient(findPool(resource), resource, problems);
  assertSupported('Cognito', problems);
  return pools;
}

function set(pool: UserPool | undefined, change: (pool: UserPool) => UserPool): void {
  if (pool) Object.assign(pool, change(pool));
}

function parsePool(
  { logicalId, physicalId, attributes, properties }: Resource,
  environment: StackEnvironment,
  problems: string[],
): UserPool {
  const reject = (problem: string) => problems.push(`${logicalId}: ${problem}`);
  if (String(properties.UsernameAttributes) !== 'email') reject('UsernameAttributes must be email, and nothing else');
  if (properties.MfaConfiguration === 'ON') reject('a required second factor (MfaConfiguration ON) is not supported');
  if (!isTrue(properties.AdminCreateUserConfig?.AllowAdminCreateUserOnly)) {
    reject('self sign-up is not supported: AdminCreateUserConfig.AllowAdminCreateUserOnly must be true');
  }
  return {
    id: physicalId,
    arn: requireValue(attributes.Arn),
    // The login page shows this name.
    name: properties.UserPoolName ?? environment.stackName,
    issuer: requireValue(attributes.ProviderURL),
    domain: undefined,
    passwordPolicy: parsePasswordPolicy(properties.Policies?.PasswordPolicy),
    caseSensitive: isTrue(properties.UsernameConfiguration?.CaseSensitive ?? true),
    attributes: parseSchema(properties.Schema ?? []),
    scopes: new Set(standardScopes),
    triggers: properties.LambdaConfig ?? {},
    identityProviders: [],
    groups: [],
    clients: [],
  };
}

function parseSchema(schema: Properties[]): UserPool['attributes'] {
  return new Map(
    schema.map(({ Name, Required, Mutable }) => [
      standardAttributes.has(Name) ? Name : `custom:${Name}`,
      { required: isTrue(Required ?? false), mutable: isTrue(Mutable ?? true) },
    ]),
  );
}

function addScopes(pool: UserPool | undefined, { properties }: Resource): void {
  const names = (properties.Scopes ?? []).map(
    ({ ScopeName }: Properties) => `${properties.Identifier}/${ScopeName}` as string,
  );
  set(pool, (before) => ({ ...before, scopes: new Set([...before.scopes, ...names]) }));
}

function addClient(
  pool: UserPool | undefined,
  { logicalId, physicalId, properties, attributes }: Resource,
  problems: string[],
) {
  if (!pool) return;
  const settings = parseClientSettings({ ...properties, ClientName: attributes.Name });
  const problem = findClientProblem(settings, pool);
  if (problem) problems.push(`${logicalId}: ${problem.message}`);
  pool.clients.push({ clientId: physicalId, settings });
}
