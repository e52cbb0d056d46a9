// The external identity providers of a pool, as CloudFormation describes them. Each turns a browser's visit into an identity:
// a subject and what the provider says about it.
import { requireValue } from '../require-value.ts';
import type { Resource } from '../template/resource-type.ts';

export interface IdentityProvider {
  name: string;
  type: 'OIDC' | 'SAML';
  details: Readonly<Record<string, string>>;
  /** Attributes of the pool and the provider's names for them. */
  attributeMapping: Readonly<Record<string, string>>;
}

/** What a sign-in must find again when the browser returns. */
export type Secrets = Readonly<Record<string, string>>;

/** The attributes that Cognito passes to its trigger; values are text. */
export interface Identity {
  subject: string;
  attributes: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** What the attribute mapping refers to. */
  claims: Readonly<Record<string, string>>;
}

/** Methods throw ProviderUnreachable, or an error that says why the response is rejected. */
export interface ProviderConnection {
  /** Returns where the browser goes. The state identifies the sign-in. */
  begin(state: string): Promise<{ url: string; secrets: Secrets }>;
  /** The response is the query of a redirect (OIDC) or a form (SAML). */
  finish(state: string, secrets: Secrets, response: URLSearchParams): Promise<Identity>;
}

export class ProviderUnreachable extends Error {}

export function parseProvider({ logicalId, properties }: Resource, problems: string[]): IdentityProvider {
  const { ProviderName: name, ProviderType: type, ProviderDetails: details, AttributeMapping } = properties;
  if (type !== 'OIDC' && type !== 'SAML') problems.push(`${logicalId}: the provider type ${type} is not supported`);
  const needed = type === 'OIDC' ? ['oidc_issuer', 'client_id', 'client_secret', 'authorize_scopes'] : [];
  for (const key of needed) if (!details?.[key]) problems.push(`${logicalId}: ProviderDetails.${key} is missing`);
  return { name: requireValue(name), type, details: details ?? {}, attributeMapping: AttributeMapping ?? {} };
}

/** As Cognito does: a list of several values is `[first, second]`, anything else its JSON or text. */
export function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
