// An app client's settings, under the names that CloudFormation and the Cognito API share, with AWS's defaults and
// AWS's refusals.
import { AwsError } from '../aws/error.ts';
import type { Input } from '../aws/service.ts';

export interface ClientSettings {
  ClientName: string;
  GenerateSecret: boolean;
  AllowedOAuthFlowsUserPoolClient: boolean;
  AllowedOAuthFlows: string[];
  AllowedOAuthScopes: string[];
  CallbackURLs: string[];
  LogoutURLs: string[];
  DefaultRedirectURI?: string;
  ReadAttributes?: string[];
  WriteAttributes?: string[];
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
  AccessToken: { unit: 'hours', seconds: 3600, from: 300, to: 86_400 },
  IdToken: { unit: 'hours', seconds: 3600, from: 300, to: 86_400 },
  RefreshToken: { unit: 'days', seconds: 30 * 86_400, from: 3600, to: 3650 * 86_400 },
} as const;

type TokenKind = keyof typeof lifetimes;

/** How long a token of this client lives. */
export function lifetimeSeconds(settings: ClientSettings, kind: TokenKind): number {
  const value = settings[`${kind}Validity`];
  if (!value) return lifetimes[kind].seconds;
  return value * (unitSeconds[settings.TokenValidityUnits[kind] ?? lifetimes[kind].unit] ?? Number.NaN);
}

export function readClientSettings(input: Input): ClientSettings {
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
    ...optional('DefaultRedirectURI'),
    ...optional('ReadAttributes', list),
    ...optional('WriteAttributes', list),
    ...optional('AccessTokenValidity', Number),
    ...optional('IdTokenValidity', Number),
    ...optional('RefreshTokenValidity', Number),
    ...optional('PreventUserExistenceErrors'),
  };
}

/** Why these settings cannot be, as AWS (or, for what only AWS can do, this runtime) says it; or undefined. */
export function clientProblem(settings: ClientSettings, scopes: ReadonlySet<string>): AwsError | undefined {
  const invalid = (message: string) => new AwsError('InvalidParameterException', message);
  if (typeof settings.ClientName !== 'string' || !/^[\w\s+=,.@-]{1,128}$/.test(settings.ClientName)) {
    return invalid('1 validation error detected: Value at clientName failed to satisfy constraint');
  }
  const unknown = settings.AllowedOAuthScopes.find((scope) => !scopes.has(scope));
  if (unknown !== undefined) {
    return new AwsError('ScopeDoesNotExistException', `Invalid scope requested: ${unknown}`);
  }
  if (settings.SupportedIdentityProviders.some((name) => name !== 'COGNITO')) {
    return invalid('The provider does not exist: only COGNITO is supported here');
  }
  if (!settings.EnableTokenRevocation) return invalid('Token revocation cannot be turned off here');
  return flowProblem(settings) ?? urlProblem(settings) ?? lifetimeProblem(settings);
}

function flowProblem(settings: ClientSettings): AwsError | undefined {
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

function urlProblem(settings: ClientSettings): AwsError | undefined {
  const invalid = (message: string) => new AwsError('InvalidParameterException', message);
  for (const url of [...settings.CallbackURLs, ...settings.LogoutURLs]) {
    const parsed = URL.canParse(url) ? new URL(url) : undefined;
    if (!parsed || url.includes('#')) return invalid(`${url} is not a valid URL without a fragment`);
    const loopback = ['localhost', '127.0.0.1', '[::1]'].includes(parsed.hostname);
    if (parsed.protocol === 'http:' && !loopback) {
      return invalid(`${url}: HTTPS is required for every address but those of this machine`);
    }
    if (['javascript:', 'data:', 'vbscript:', 'blob:', 'file:', 'about:'].includes(parsed.protocol)) {
      return invalid(`${url}: the scheme ${parsed.protocol} is not allowed`);
    }
  }
  if (settings.AllowedOAuthFlows.includes('code') && settings.CallbackURLs.length === 0) {
    return invalid('CallbackURLs are required if the code flow is allowed');
  }
  if (settings.DefaultRedirectURI !== undefined && !settings.CallbackURLs.includes(settings.DefaultRedirectURI)) {
    return invalid('DefaultRedirectURI must be in CallbackURLs');
  }
  return undefined;
}

function lifetimeProblem(settings: ClientSettings): AwsError | undefined {
  for (const kind of Object.keys(lifetimes) as TokenKind[]) {
    const seconds = lifetimeSeconds(settings, kind);
    const { from, to } = lifetimes[kind];
    if (!Number.isInteger(seconds) || seconds < from || seconds > to) {
      return new AwsError(
        'InvalidParameterException',
        `Invalid range for token validity. ${kind}Validity must be between ${from} and ${to} seconds`,
      );
    }
  }
  return undefined;
}

function isTrue(value: unknown): boolean {
  return value === true || value === 'true';
}
