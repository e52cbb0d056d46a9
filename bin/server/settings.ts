// The settings of `npm start`: options after --, and environment variables.
import { isIP } from 'node:net';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { parseSingleSignOn, type SingleSignOn, singleSignOnOptions } from '../../contract/single-sign-on.ts';
import { root } from '../../tools/build/local-build.ts';

export interface Settings {
  port: number;
  host: string;
  /** Additional host names of the server. */
  allowedHosts: string[];
  dataFolder: string;
  /** Only creates the data of a later start on this port. The installation sets it. */
  preparedPort: number | undefined;
  /** The address of a proxy in front of the server, without a trailing slash. */
  publicUrl: string | undefined;
  /** Other web origins whose pages may call the API. */
  corsOrigins: string[];
  /** Whether the console accepts people that the directory does not have. */
  unknownPeople: 'refused' | 'allowed';
  /** Addresses or networks of trusted proxies, which set the client's address. */
  trustedProxies: string[];
  /** How long API requests may queue before the server rejects most of them. */
  burstMs: number;
  /** No demo data on the first start. */
  empty: boolean;
  /** Production mode: one administrator, no demo data, no /_local. */
  production: boolean;
  /** Email of the first account of a production server. */
  adminEmail: string | undefined;
  /** A server with OpenAI's chat completions API; if absent, the built-in model answers. */
  llm: { url: string; model: string; apiKey: string | undefined } | undefined;
  /** A mail server; if absent, e-mails go to the outbox. */
  smtpUrl: string | undefined;
  /** The sender of e-mails; if absent, an address of the server's host name. */
  mailSender: string | undefined;
  /** The identity provider of the company, with the secret of our client at an OpenID provider. */
  singleSignOn: (SingleSignOn & { clientSecret: string }) | undefined;
  /** The URL of OpenSearch; if absent, lists are in memory. */
  search: string | undefined;
}

const defaultPort = 3000;
const defaultDataFolder = join(root, '.data');

/** Demo data that was prepared at the installation contains the default address. */
export function fitsPreparedDemo({ port, publicUrl, dataFolder, empty }: Settings): boolean {
  return !empty && port === defaultPort && publicUrl === undefined && dataFolder === defaultDataFolder;
}

/** Printed to the user as one line. */
export class UsageError extends Error {}

const options = {
  empty: { type: 'boolean' },
  production: { type: 'boolean' },
  llm: { type: 'string' },
  'llm-model': { type: 'string' },
  search: { type: 'string' },
} as const;
const usage =
  'There are --empty, --production, --llm <address>, --llm-model <name> and --search <address>; settings are PORT, HOST, PUBLIC_URL, CORS_ORIGINS, UNKNOWN_PEOPLE, TRUSTED_PROXIES, ALLOWED_HOSTS, DATA_DIR, BURST_SECONDS, ADMIN_EMAIL, SMTP_URL, MAIL_SENDER, LLM_API_KEY and those of single sign-on (docs/single-sign-on.md).';

export function readSettings(args: readonly string[] = process.argv.slice(2), env = process.env): Settings {
  const { values, tokens } = parseArgs({ args: [...args], options, strict: false, tokens: true });
  const unknown = tokens.flatMap((token) => {
    if (token.kind === 'positional') return [token.value];
    return token.kind === 'option' && !(token.name in options) ? [token.rawName] : [];
  });
  if (unknown.length > 0) throw new UsageError(`Unknown option ${unknown.join(' ')}. ${usage}`);
  const port = Number(env.PORT ?? defaultPort);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new UsageError(`PORT must be a port number, not "${env.PORT}".`);
  const burstMs = Number(env.BURST_SECONDS || 0.3) * 1000;
  if (!(burstMs > 0 && burstMs <= 60_000))
    throw new UsageError(`BURST_SECONDS must be a number up to 60, not "${env.BURST_SECONDS}".`);
  return {
    port,
    host: env.HOST ?? '127.0.0.1',
    allowedHosts: parseList(env.ALLOWED_HOSTS),
    publicUrl: parsePublicUrl(env.PUBLIC_URL),
    corsOrigins: parseOrigins(env.CORS_ORIGINS),
    unknownPeople: parseUnknownPeople(env.UNKNOWN_PEOPLE),
    trustedProxies: parseProxies(env.TRUSTED_PROXIES),
    dataFolder: env.DATA_DIR ?? defaultDataFolder,
    preparedPort: env.PREPARED_PORT ? Number(env.PREPARED_PORT) : undefined,
    burstMs,
    empty: values.empty === true || values.production === true,
    production: values.production === true,
    adminEmail: parseEmail('ADMIN_EMAIL', env.ADMIN_EMAIL),
    smtpUrl: parseSmtpUrl(env.SMTP_URL),
    mailSender: parseEmail('MAIL_SENDER', env.MAIL_SENDER),
    singleSignOn: readSingleSignOn(env),
    search: parseSearch(values.search),
    llm: parseLlm(values.llm, values['llm-model'], env.LLM_API_KEY),
  };
}

function parseList(text: string | undefined): string[] {
  const names = (text ?? '').split(',').map((name) => name.trim());
  return names.filter(Boolean);
}

function parsePublicUrl(text: string | undefined): string | undefined {
  if (!text) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isAddress = url && /^https?:$/.test(url.protocol) && `${url.origin}/` === url.href;
  if (!isAddress) throw new UsageError(`PUBLIC_URL must be like https://incidents.acme.org, not "${text}".`);
  return url.origin;
}

function parseOrigins(text: string | undefined): string[] {
  const origins = parseList(text);
  const wrong = origins.find(
    (origin) => !/^https?:/.test(origin) || !URL.canParse(origin) || new URL(origin).origin !== origin,
  );
  if (wrong) throw new UsageError(`CORS_ORIGINS must be like https://portal.acme.org, not "${wrong}".`);
  return origins;
}

function parseUnknownPeople(text = 'refused'): Settings['unknownPeople'] {
  if (text === 'refused' || text === 'allowed') return text;
  throw new UsageError(`UNKNOWN_PEOPLE must be refused or allowed, not "${text}".`);
}

function parseProxies(text: string | undefined): string[] {
  const proxies = parseList(text);
  const wrong = proxies.find((proxy) => {
    const [address = '', prefix, ...rest] = proxy.split('/');
    const maxPrefix = isIP(address) === 6 ? 128 : 32;
    return isIP(address) === 0 || rest.length > 0 || (prefix && !(/^\d+$/.test(prefix) && Number(prefix) <= maxPrefix));
  });
  if (wrong) throw new UsageError(`TRUSTED_PROXIES must be addresses or networks such as 10.0.0.0/8, not "${wrong}".`);
  return proxies;
}

function parseEmail(name: string, text: string | undefined): string | undefined {
  if (text && !/^[^\s@]+@[^\s@]+$/.test(text))
    throw new UsageError(`${name} must be an e-mail address, not "${text}".`);
  return text || undefined;
}

/** The message does not repeat the value, which may contain a password. */
function parseSmtpUrl(text: string | undefined): string | undefined {
  if (text && !(/^smtps?:\/\//.test(text) && URL.canParse(text)))
    throw new UsageError('SMTP_URL must be like smtps://user:password@mail.acme.org or smtp://localhost:2525.');
  return text || undefined;
}

/** One message lists all problems. The names are those of the options of a deployment: OIDC_ISSUER is oidcIssuer. */
function readSingleSignOn(env: NodeJS.ProcessEnv): Settings['singleSignOn'] {
  const toVariable = (option: string) => option.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
  const given = singleSignOnOptions.flatMap((option) => {
    const value = env[toVariable(option)];
    return value ? [[option, value]] : [];
  });
  const { settings, problems } = parseSingleSignOn(Object.fromEntries(given), toVariable);
  const messages = problems.map(({ option, message }) => `${toVariable(option)} ${message}.`);
  const clientSecret = env.OIDC_CLIENT_SECRET ?? '';
  if (env.OIDC_ISSUER && !clientSecret) messages.push('OIDC_ISSUER needs OIDC_CLIENT_SECRET.');
  if (messages.length > 0) throw new UsageError(messages.join('\n'));
  return settings && { ...settings, clientSecret };
}

function parseSearch(url: unknown): string | undefined {
  if (url === undefined) return undefined;
  if (typeof url !== 'string' || !/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : ''))
    throw new UsageError('--search needs the address of OpenSearch, such as --search http://localhost:9200');
  return url;
}

function parseLlm(url: unknown, model: unknown, apiKey: string | undefined): Settings['llm'] {
  if (url === undefined && model === undefined) return undefined;
  if (typeof url !== 'string' || !/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : ''))
    throw new UsageError('--llm needs the address of a server, such as --llm http://localhost:11434');
  if (typeof model !== 'string' || model === '')
    throw new UsageError('--llm-model needs the name of a model that the server has, such as --llm-model qwen3:8b');
  return { url, model, apiKey };
}
