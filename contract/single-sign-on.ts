import { isRole, type Role, roles } from './roles.ts';

// The settings of single sign-on: options of a deployment (`-c oidcIssuer=…`), and environment variables on one machine
// (`OIDC_ISSUER=…`). Free of zod, which the server does not load.

export const singleSignOnOptions = [
  'oidcIssuer',
  'oidcClientId',
  'oidcScopes',
  'samlMetadata',
  'ssoName',
  'roleMapping',
  'unmappedPeople',
  'localPasswords',
] as const;

export type SingleSignOnOption = (typeof singleSignOnOptions)[number];

export interface SingleSignOn {
  /** Follows "Sign in with". */
  name: string;
  /** SAML metadata is a URL or the path of a file. */
  provider: { type: 'OIDC'; issuer: string; clientId: string; scopes: string } | { type: 'SAML'; metadata: string };
  /** The role of each group of the provider. */
  roleMapping: Readonly<Record<string, Role>>;
  /** What people without a mapped group get. */
  unmappedPeople: UnmappedPeople;
  localPasswords: 'shown' | 'hidden';
}

export type UnmappedPeople = 'viewer' | 'rejected';

/** Marks a person who signs in with the provider: until when the provider's last confirmation is valid. */
export const confirmedUntilAttribute = 'custom:confirmed_until';

interface OptionProblem {
  option: SingleSignOnOption;
  message: string;
}

/** `show` formats the name of an option for people. Without a provider, the settings are undefined. */
export function parseSingleSignOn(
  given: Readonly<Partial<Record<SingleSignOnOption, string>>>,
  show: (option: SingleSignOnOption) => string,
): { settings?: SingleSignOn; problems: OptionProblem[] } {
  const problems: OptionProblem[] = [];
  const reject = (option: SingleSignOnOption, message: string) => problems.push({ option, message });
  const { oidcIssuer, oidcClientId, samlMetadata, ssoName: name = 'SSO', oidcScopes: scopes } = given;
  if (oidcIssuer === undefined && samlMetadata === undefined) {
    for (const option of singleSignOnOptions)
      if (given[option] !== undefined) reject(option, `needs ${show('oidcIssuer')} or ${show('samlMetadata')}`);
    return { problems };
  }
  if (oidcIssuer !== undefined && samlMetadata !== undefined)
    reject('samlMetadata', `cannot be combined with ${show('oidcIssuer')}: a company has one identity provider`);
  if (oidcIssuer !== undefined && !isSecureUrl(oidcIssuer))
    reject('oidcIssuer', `must be an address such as https://login.acme.org, not "${oidcIssuer}"`);
  if (oidcIssuer !== undefined && !oidcClientId) reject('oidcIssuer', `needs ${show('oidcClientId')}`);
  for (const option of ['oidcClientId', 'oidcScopes'] as const)
    if (oidcIssuer === undefined && given[option] !== undefined) reject(option, `needs ${show('oidcIssuer')}`);
  if (scopes !== undefined && !/^openid(?: [\w:./-]+)*$/.test(scopes))
    reject('oidcScopes', `must begin with openid and be separated by blanks, not "${scopes}"`);
  if (samlMetadata !== undefined && /^https?:/.test(samlMetadata) && !isSecureUrl(samlMetadata))
    reject('samlMetadata', `must be an https address or a file, not "${samlMetadata}"`);
  if (!/^[a-z0-9][a-z0-9.-]{2,31}$/i.test(name) || reservedNames.has(name.toLowerCase()))
    reject('ssoName', `must be 3 to 32 letters, digits, dots and hyphens, and no name of Cognito, not "${name}"`);
  const roleMapping = parseRoleMapping(given.roleMapping ?? '{}', (message) => reject('roleMapping', message));
  const unmappedPeople = parseChoice(given, 'unmappedPeople', ['viewer', 'rejected'] as const, reject);
  const localPasswords = parseChoice(given, 'localPasswords', ['shown', 'hidden'] as const, reject);
  if (problems.length > 0) return { problems };
  const provider =
    oidcIssuer === undefined
      ? ({ type: 'SAML', metadata: samlMetadata ?? '' } as const)
      : ({
          type: 'OIDC',
          issuer: oidcIssuer,
          clientId: oidcClientId ?? '',
          scopes: scopes ?? 'openid email profile',
        } as const);
  return { settings: { name, provider, roleMapping, unmappedPeople, localPasswords }, problems };
}

/** Names that Cognito gives to its own providers. */
const reservedNames = new Set(['cognito', 'facebook', 'google', 'loginwithamazon', 'signinwithapple']);

/** A provider on the same machine may come without TLS. */
function isSecureUrl(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || url.hash || url.username || url.password) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && ['localhost', '127.0.0.1'].includes(url.hostname));
}

function parseRoleMapping(text: string, reject: (message: string) => void): Record<string, Role> {
  const mapping = parseJson(text);
  const isObject = typeof mapping === 'object' && mapping !== null && !Array.isArray(mapping);
  if (!isObject) reject(`must be JSON such as {"sre-leads":"itsm_manager"}, not "${text}"`);
  const entries = Object.entries(isObject ? mapping : {});
  for (const [group, role] of entries)
    if (typeof role !== 'string' || !isRole(role))
      reject(`gives the group "${group}" the unknown role ${JSON.stringify(role)}; the roles are ${roles.join(', ')}`);
  return Object.fromEntries(entries);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The first choice is the default. */
function parseChoice<Option extends SingleSignOnOption, Choice extends string>(
  given: Readonly<Partial<Record<Option, string>>>,
  option: Option,
  choices: readonly [Choice, ...Choice[]],
  reject: (option: Option, message: string) => void,
): Choice {
  const text = given[option] ?? choices[0];
  const choice = choices.find((one) => one === text);
  if (!choice) reject(option, `must be ${choices.join(' or ')}, not "${text}"`);
  return choice ?? choices[0];
}
