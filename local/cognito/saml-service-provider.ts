// Signs people in with a SAML provider: a redirect to it, a signed response by form. node-saml checks signature, audience and
// times. The package is imported on first use, without its types: they would bring those of browsers into every file.
import { type Identity, type ProviderConnection, ProviderUnreachable } from './identity-provider.ts';

interface Profile {
  issuer?: string;
  nameID?: string;
  attributes?: Record<string, unknown>;
  getAssertion?(): unknown;
}

interface Saml {
  getAuthorizeUrlAsync(relayState: string, host: undefined, options: object): Promise<string>;
  validatePostResponseAsync(form: { SAMLResponse: string }): Promise<{ profile: Profile | null }>;
}

interface SamlPackage {
  SAML: new (options: object) => Saml;
}

interface XmlNode {
  textContent: string | null;
  getAttribute(name: string): string | null;
  getElementsByTagNameNS(namespace: string, name: string): ArrayLike<XmlNode>;
}

interface XmlPackage {
  DOMParser: new (options: object) => { parseFromString(text: string, type: string): XmlNode };
}

interface Metadata {
  entityId: string;
  signInUrl: string;
  certificates: string[];
}

const timeoutMs = 5_000;
const metadataTtlMs = 6 * 60 * 60_000;
const requestMs = 10 * 60_000;
const maxClockDifferenceMs = 60_000;

export function createSamlProvider(
  { MetadataURL: url, MetadataFile: file }: Readonly<Record<string, string>>,
  callbackUrl: string,
  audience: string,
): ProviderConnection {
  let cached: { untilMs: number; metadata: Metadata } | undefined;
  const load = async (): Promise<Metadata> => {
    if (cached && Date.now() < cached.untilMs) return cached.metadata;
    const metadata = await parseMetadata(file || (await download(url ?? '')));
    cached = { untilMs: Date.now() + metadataTtlMs, metadata };
    return metadata;
  };
  const connect = async (state: string): Promise<{ saml: Saml; metadata: Metadata }> => {
    const metadata = await load();
    const { SAML }: SamlPackage = await import('@node-saml/node-saml' as string);
    const requestId = toRequestId(state);
    const saml = new SAML({
      callbackUrl,
      audience,
      issuer: audience,
      entryPoint: metadata.signInUrl,
      idpCert: metadata.certificates,
      // The response or the assertion is signed; without both, it is rejected.
      wantAuthnResponseSigned: false,
      wantAssertionsSigned: false,
      identifierFormat: null,
      disableRequestedAuthnContext: true,
      acceptedClockSkewMs: maxClockDifferenceMs,
      generateUniqueId: () => requestId,
      validateInResponseTo: 'always',
      requestIdExpirationPeriodMs: requestMs,
      // A state works once (federated-sign-in.ts), and so does the request of this state.
      cacheProvider: {
        saveAsync: async (_key: string, value: string) => ({ value, createdAt: Date.now() }),
        getAsync: async (key: string) => (key === requestId ? new Date().toISOString() : null),
        removeAsync: async (key: string | null) => key,
      },
    });
    return { saml, metadata };
  };

  return {
    async begin(state) {
      const { saml, metadata } = await connect(state);
      await assertReachable(metadata.signInUrl);
      return { url: await saml.getAuthorizeUrlAsync(state, undefined, {}), secrets: {} };
    },
    async finish(state, _secrets, form) {
      const { saml, metadata } = await connect(state);
      const { profile } = await saml.validatePostResponseAsync({ SAMLResponse: form.get('SAMLResponse') ?? '' });
      if (!profile) throw new Error('the response contains no assertion');
      if (profile.issuer !== metadata.entityId) throw new Error(`the assertion is from ${profile.issuer}`);
      assertRecipient(profile, toRequestId(state), callbackUrl);
      return toIdentity(profile);
    },
  };
}

function toRequestId(state: string): string {
  return `_${state}`;
}

/** In the signed assertion itself: the response around it may come from somebody else. */
function assertRecipient(profile: Profile, requestId: string, callbackUrl: string): void {
  const assertion = profile.getAssertion?.() as AssertionElement | undefined;
  const confirmations = assertion?.Assertion?.Subject?.[0]?.SubjectConfirmation ?? [];
  const isOurs = confirmations.some(({ SubjectConfirmationData: [data] = [] }) => {
    const { InResponseTo, Recipient, NotOnOrAfter } = data?.$ ?? {};
    return InResponseTo === requestId && Recipient === callbackUrl && NotOnOrAfter !== undefined;
  });
  if (!isOurs) throw new Error('the assertion is not the response to this sign-in');
}

interface AssertionElement {
  Assertion?: {
    Subject?: { SubjectConfirmation?: { SubjectConfirmationData?: { $?: Record<string, string> }[] }[] }[];
  };
}

function toIdentity({ nameID, attributes = {} }: Profile): Identity {
  if (!nameID) throw new Error('the assertion has no NameID');
  const samlResponse = Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [
      name,
      Array.isArray(value) ? `[${value.join(', ')}]` : String(value),
    ]),
  );
  return { subject: nameID, attributes: { samlResponse }, claims: samlResponse };
}

/** If the provider is down, people get a page that says so instead of an error of the browser. */
async function assertReachable(url: string): Promise<void> {
  const request = { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) } as const;
  await fetch(url, request).catch((error: unknown) => {
    throw new ProviderUnreachable(`${url} cannot be reached`, { cause: error });
  });
}

async function download(url: string): Promise<string> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
    if (!response.ok) throw new Error(`the status is ${response.status}`);
    return await response.text();
  } catch (error) {
    throw new ProviderUnreachable(`${url} cannot be reached`, { cause: error });
  }
}

const redirectBinding = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';

export async function parseMetadata(xml: string): Promise<Metadata> {
  const { DOMParser }: XmlPackage = await import('@xmldom/xmldom' as string);
  const document = new DOMParser({ errorHandler: rejectXml }).parseFromString(xml, 'text/xml');
  const list = (name: string, node = document) => Array.from(node.getElementsByTagNameNS('*', name));
  const service = list('SingleSignOnService').find((one) => one.getAttribute('Binding') === redirectBinding);
  const signInUrl = service?.getAttribute('Location');
  const entityId = list('EntityDescriptor')[0]?.getAttribute('entityID');
  const certificates = list('KeyDescriptor')
    .filter((key) => key.getAttribute('use') !== 'encryption')
    .flatMap((key) => list('X509Certificate', key))
    .map(({ textContent }) => (textContent ?? '').replace(/\s/g, ''));
  if (!signInUrl || !entityId || certificates.length === 0)
    throw new Error(
      'the SAML metadata needs an entityID, a certificate and a sign-in address with the redirect binding',
    );
  return { entityId, signInUrl, certificates };
}

function rejectXml(_level: string, message: string): never {
  throw new Error(`the SAML metadata is not XML: ${message}`);
}
