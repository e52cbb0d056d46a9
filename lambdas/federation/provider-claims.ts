import type { InboundFederationTriggerEvent } from 'aws-lambda';
import { hasRole, type Role, roles } from '../../contract/roles.ts';
import type { SingleSignOn } from '../../contract/single-sign-on.ts';

// What an identity provider says about a person. Cognito sends claims and SAML attributes as text: a list is JSON or
// `[first, second]`.

export interface Claims {
  subject: string;
  email: string | undefined;
  isEmailVerified: boolean;
  name: string | undefined;
  /** Undefined if the provider does not send groups. */
  groups: readonly string[] | undefined;
}

type Raw = Readonly<Record<string, unknown>>;

const xmlSoap = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims';

/** The names that OpenID Connect, Entra ID, AD FS, Shibboleth and Google use. */
const names = {
  email: ['email', 'mail', 'emailAddress', `${xmlSoap}/emailaddress`, 'urn:oid:0.9.2342.19200300.100.1.3'],
  name: ['name', 'displayName', `${xmlSoap}/name`, 'urn:oid:2.16.840.1.113730.3.1.241', 'urn:oid:2.5.4.3'],
  groups: ['groups', 'memberOf', 'http://schemas.microsoft.com/ws/2008/06/identity/claims/groups'],
} as const;

/** SAML has no claim for it: the company's directory vouches for the address, unless it says otherwise. */
export function readSignInClaims({ request, userName }: InboundFederationTriggerEvent): Claims {
  const { idToken, userInfo, samlResponse } = request.attributes;
  if (request.providerType === 'SAML') return readClaims({ email_verified: 'true', ...samlResponse }, userName);
  return readClaims({ ...idToken, ...userInfo }, idToken?.sub ?? userName);
}

export function readClaims(raw: Raw, subject: string): Claims {
  const find = (aliases: readonly string[]) => aliases.map((alias) => raw[alias]).find((value) => value !== undefined);
  const [email, name] = [find(names.email), find(names.name)].map(readText);
  const groups = find(names.groups);
  return {
    subject,
    email: email?.toLowerCase(),
    isEmailVerified: String(raw.email_verified) === 'true',
    name,
    groups: groups === undefined ? undefined : readList(groups),
  };
}

function readText(value: unknown): string | undefined {
  const text = typeof value === 'string' ? value.trim() : '';
  return text === '' ? undefined : text;
}

function readList(value: unknown): string[] {
  if (Array.isArray(value)) return value.filter((entry) => typeof entry === 'string');
  const text = String(value).trim();
  if (!text.startsWith('[')) return text === '' ? [] : text.split(',').map((entry) => entry.trim());
  try {
    return readList(JSON.parse(text));
  } catch {
    return text.slice(1, -1).split(', ');
  }
}

/** The highest role of the groups. Undefined: the person may not enter. */
export function chooseRole(
  groups: readonly string[],
  { roleMapping, unmappedPeople }: Pick<SingleSignOn, 'roleMapping' | 'unmappedPeople'>,
): Role | undefined {
  const mapped = groups.flatMap((group) => (Object.hasOwn(roleMapping, group) ? (roleMapping[group] ?? []) : []));
  const highest = roles.findLast((role) => hasRole(mapped, role));
  return highest ?? (unmappedPeople === 'viewer' ? 'viewer' : undefined);
}
