// A company with a SAML provider: samlify builds and signs the responses. The page of the provider sends the form at once.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { inflateRawSync } from 'node:zlib';

interface Samlify {
  IdentityProvider(settings: object): {
    getMetadata(): string;
    createLoginResponse(
      sp: object,
      request: object,
      binding: string,
      user: object,
      replace: Replace,
    ): Promise<{ context: string }>;
  };
  ServiceProvider(settings: object): object;
  SamlLib: { replaceTagsByValue(template: string, values: Record<string, string>): string };
}

type Replace = (template: string) => { id: string; context: string };

export interface SamlCompany {
  metadata: string;
  /** Signs in next; attributes are as the provider sends them. */
  employee: { id: string; attributes: Record<string, string | string[]> };
  /** Replaces values of the next response, such as Audience. */
  changes: Record<string, string>;
  /** What the next responses do instead of an honest one. */
  trick: 'none' | 'replayed' | 'tampered';
  /** The last response, to the request in it. */
  lastResponse: string;
  stop(): Promise<void>;
}

const post = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST';
const redirect = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';
const minuteMs = 60_000;

export async function startSamlCompany({ key, cert }: { key: string; cert: string }): Promise<SamlCompany> {
  const { IdentityProvider, ServiceProvider, SamlLib }: Samlify = await import('samlify' as string);
  const server = createServer(async (request, response) => {
    const query = new URL(request.url ?? '/', 'http://localhost').searchParams;
    if (request.method === 'HEAD') return response.end();
    const message = inflateRawSync(Buffer.from(query.get('SAMLRequest') ?? '', 'base64')).toString('utf8');
    const text = await respond(message);
    const isTampered = company.trick === 'tampered';
    const sent = isTampered ? toBase64(fromBase64(text).replace('itsm-desk', 'sre-leads')) : text;
    const form = `<form method="post" action="${find(message, 'AssertionConsumerServiceURL')}">
      <input name="SAMLResponse" value="${company.trick === 'replayed' ? company.lastResponse : sent}">
      <input name="RelayState" value="${query.get('RelayState')}"></form>`;
    company.lastResponse = sent;
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(`<title>Company</title>${form}<script>document.forms[0].submit()</script>`);
  }).listen(0, 'localhost');
  await once(server, 'listening');
  const origin = `http://localhost:${(server.address() as { port: number }).port}`;
  const idp = IdentityProvider({
    entityID: `${origin}/metadata`,
    privateKey: key,
    signingCert: cert,
    isAssertionEncrypted: false,
    singleLogoutService: [{ Binding: redirect, Location: `${origin}/sso` }],
    singleSignOnService: [{ Binding: redirect, Location: `${origin}/sso` }],
  });

  const respond = async (message: string): Promise<string> => {
    const [audience, callback] = [
      /Issuer[^>]*>([^<]+)</.exec(message)?.[1] ?? '',
      find(message, 'AssertionConsumerServiceURL'),
    ];
    const sp = ServiceProvider({
      entityID: audience,
      wantAssertionsSigned: true,
      assertionConsumerService: [{ Binding: post, Location: callback }],
    });
    const until = new Date(Date.now() + 5 * minuteMs).toISOString();
    const values = {
      ...{ ID: '_response', AssertionID: '_assertion', Destination: callback, SubjectRecipient: callback },
      ...{ Audience: audience, Issuer: `${origin}/metadata`, IssueInstant: new Date().toISOString() },
      ...{ StatusCode: 'urn:oasis:names:tc:SAML:2.0:status:Success', InResponseTo: find(message, 'ID') },
      ...{ ConditionsNotBefore: new Date(Date.now() - minuteMs).toISOString(), ConditionsNotOnOrAfter: until },
      ...{ SubjectConfirmationDataNotOnOrAfter: until, AuthnStatement: '' },
      NameIDFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
      NameID: company.employee.id,
      ...company.changes,
    };
    const replace: Replace = (template) => {
      const context = template.replace('{AttributeStatement}', renderAttributes(company.employee.attributes));
      return { id: '_response', context: SamlLib.replaceTagsByValue(context, values) };
    };
    return (await idp.createLoginResponse(sp, {}, 'post', {}, replace)).context;
  };

  const company: SamlCompany = {
    metadata: idp.getMetadata(),
    employee: { id: '', attributes: {} },
    changes: {},
    trick: 'none',
    lastResponse: '',
    async stop() {
      server.closeAllConnections();
      server.close();
    },
  };
  return company;
}

function find(message: string, attribute: string): string {
  return new RegExp(` ${attribute}="([^"]+)"`).exec(message)?.[1] ?? '';
}

function renderAttributes(attributes: Record<string, string | string[]>): string {
  const rendered = Object.entries(attributes).map(([name, value]) => {
    const values = [value].flat().map((one) => `<saml:AttributeValue>${one}</saml:AttributeValue>`);
    return `<saml:Attribute Name="${name}">${values.join('')}</saml:Attribute>`;
  });
  return `<saml:AttributeStatement>${rendered.join('')}</saml:AttributeStatement>`;
}

const fromBase64 = (text: string) => Buffer.from(text, 'base64').toString('utf8');
const toBase64 = (text: string) => Buffer.from(text).toString('base64');
