// An app client's settings, with the names that CloudFormation and the Cognito API share, and AWS's defaults and errors.
import { AwsError } from '../aws/error.ts';
import type { Input } from '../aws/service.ts';
import { isTrue } from '../template/resource-type.ts';

export interface ClientSettings {
  ClientName: string;
  GenerateSecret: boolean;
  AllowedOAuthFlowsUserPoolClient: boolean;
  AllowedOAuthFlows: string[];
  AllowedOAuthScopes: string[];
  CallbackURLs: string[];
  LogoutURLs: string[];
  ExplicitAuthFlows: string[];
  SupportedIdentityProviders: string[];
  AccessTokenValidity?: number;
  IdTokenValidity?: number;
  RefreshTokenValidity?: number;
  TokenValidityUnits: { AccessToken?: string; IdToken?: string; RefreshToken?: string };
  EnableTokenRevocation: boolean;
  PreventUserExistenceErrors?: string;
}

export interface Client {
  poolId: string;
  clientId: string;
  secret: string | undefined;
  settings: ClientSettings;
  createdMs: number;
  modifiedMs: number;
}

const unitSeconds: Record<string, number> = { seconds: 1, minutes: 60, hours: 3600, days: 86_400 };
const lifetimes = {
  AccessToken: { unit: 'hours', seconds: 3600, minSeconds: 300, maxSeconds: 86_400 },
  IdToken: { unit: 'hours', seconds: 3600, minSeconds: 300, maxSeconds: 86_400 },
  RefreshToken: { unit: 'days', seconds: 30 * 86_400, minSeconds: 3600, maxSeconds: 3650 * 86_400 },
} as const;

type TokenKind = keyof typeof lifetimes;

export function getLifetimeSeconds(settings: ClientSettings, kind: TokenKind): number {
  const value = settings[`${kind}Validity`];
  if (!value) return lifetimes[kind].seconds;
  return value * (unitSeconds[settings.TokenValidityUnits[kind] ?? lifetimes[kind].unit] ?? Number.NaN);
}

export function parseClientSettings(input: Input): ClientSettings {
  const list = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);
  const optional = (name: string, read: (value: unknown) => unknown = (value) => value) =>
    input[name] === undefined ? {} : { [name]: read(input[name]) };
  return {
    ClientName: input.ClientName,
    GenerateSecret: isTrue(input.GenerateSecret),
    AllowedOAuthFlowsUserPoolClient: isTrue(input.AllowedOAuthFlowsUserPoolClient),
    AllowedOAuthFlows: list(input.AllowedOAuthFlows),
    AllowedOAuthScopes: list(input.AllowedOAuthScopes),
    CallbackURLs: list(input.CallbackURLs),
    LogoutURLs: list(input.LogoutURLs),
    ExplicitAuthFlows: list(input.ExplicitAuthFlows),
    SupportedIdentityProviders: list(input.SupportedIdentityProviders),
    TokenValidityUnits: input.TokenValidityUnits ?? {},
    EnableTokenRevocation: isTrue(input.EnableTokenRevocation ?? true),
    ...optional('AccessTokenValidity', Number),
    ...optional('IdTokenValidity', Number),
    ...optional('RefreshTokenValidity', Number),
    ...optional('PreventUserExistenceErrors'),
  };
}

/** Returns the first problem of the settings, with AWS's message where AWS rejects them too. */
export function findClientProblem(
  settings: ClientSettings,
  { scopes, identityProviders }: { scopes: ReadonlySet<string>; identityProviders: readonly { name: string }[] },
): AwsError | undefined {
  const invalid = (message: string) => new AwsError('InvalidParameterException', message);
  if (typeof settings.ClientName !== 'string' || !/^[\w\s+=,.@-]{1,128}$/.test(settings.ClientName)) {
    return invalid('1 validation error detected: Value at clientName failed to satisfy constraint');
  }
  const unknown = settings.AllowedOAuthScopes.find((scope) => !scopes.has(scope));
  if (unknown !== undefined) {
    return new AwsError('ScopeDoesNotExistException', `Invalid scope requested: ${unknown}`);
  }
  const providers = new Set(['COGNITO', ...identityProviders.map(({ name }) => name)]);
  const missing = settings.SupportedIdentityProviders.find((name) => !providers.has(name));
  if (missing !== undefined) return invalid(`The provider ${missing} does not exist for User Pool.`);
  if (!settings.EnableTokenRevocation) return invalid('Token revocation cannot be turned off here');
  return findFlowProblem(settings) ?? findUrlProblem(settings) ?? findLifetimeProblem(settings);
}

function findFlowProblem(settings: ClientSettings): AwsError | undefined {
  const flows = settings.AllowedOAuthFlows;
  const invalid = (message: string) => new AwsError('InvalidOAuthFlowException', message);
  const unknown = flows.find((flow) => flow !== 'code' && flow !== 'client_credentials');
  if (unknown !== undefined) return invalid(`The OAuth flow ${unknown} is not supported here`);
  if (flows.length > 0 && settings.AllowedOAuthScopes.length === 0) {
    return invalid(
      'AllowedOAuthFlows and AllowedOAuthScopes are required if user pool client is allowed to use OAuth flows.',
    );
  }
  if (!flows.includes('client_credentials')) return undefined;
  if (flows.length > 1) {
    return invalid('client_credentials flow can not be selected along with code flow or implicit flow.');
  }
  if (!settings.GenerateSecret) {
    return invalid('client_credentials flow can not be selected if client does not have a client secret.');
  }
  return undefined;
}

function findUrlProblem(settings: ClientSettings): AwsError | undefined {
  const invalid = (message: string) => new AwsError('InvalidParameterException', message);
  for (const url of [...settings.CallbackURLs, ...settings.LogoutURLs]) {
    const parsed = URL.canParse(url) ? new URL(url) : undefined;
    if (!parsed || url.includes('#')) return invalid(`${url} is not a valid URL without a fragment`);
    const isLoopback = ['localhost', '127.0.0.1', '[::1]'].includes(parsed.hostname);
    if (parsed.protocol === 'http:' && !isLoopback) {
      return invalid(`${url}: HTTPS is required, except for localhost`);
    }
    if (['javascript:', 'data:', 'vbscript:', 'blob:', 'file:', 'about:'].includes(parsed.protocol)) {
      return invalid(`${url}: the scheme ${parsed.protocol} is not allowed`);
    }
  }
  if (settings.AllowedOAuthFlows.includes('code') && settings.CallbackURLs.length === 0) {
    return invalid('CallbackURLs are required if the code flow is allowed');
  }
  return undefined;
}

function findLifetimeProblem(settings: ClientSettings): AwsError | undefined {
  for (const kind of Object.keys(lifetimes) as TokenKind[]) {
    const seconds = getLifetimeSeconds(settings, kind);
    const { minSeconds, maxSeconds } = lifetimes[kind];
    if (!Number.isInteger(seconds) || seconds < minSeconds || seconds > maxSeconds) {
      return new AwsError(
        'InvalidParameterException',
        `Invalid range for token validity. ${kind}Validity must be between ${minSeconds} and ${maxSeconds} seconds`,
      );
    }
  }
  return undefined;
}
