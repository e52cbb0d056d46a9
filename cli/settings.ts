import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Credentials, createClient, type ServiceClient } from '../client/index.ts';
import { UsageError } from './command.ts';

// Where the service is and who calls it: the environment first, then what `itsm login` saved.

export interface Settings {
  baseUrl: string;
  authUrl?: string | undefined;
  apiKey?: string | undefined;
  clientId?: string | undefined;
  clientSecret?: string | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

export function settingsFile(environment: Environment): string {
  return environment.ITSM_CONFIG ?? join(environment.XDG_CONFIG_HOME ?? join(homedir(), '.config'), 'itsm/config.json');
}

export function loadSettings(environment: Environment): Settings | undefined {
  const { ITSM_URL, ITSM_AUTH_URL, ITSM_API_KEY, ITSM_CLIENT_ID, ITSM_CLIENT_SECRET } = environment;
  const found = readSaved(settingsFile(environment));
  // A saved key must not go to another service.
  const saved = ITSM_URL && found?.baseUrl !== ITSM_URL ? undefined : found;
  const baseUrl = ITSM_URL ?? saved?.baseUrl;
  if (!baseUrl) return undefined;
  const given = { apiKey: ITSM_API_KEY, clientId: ITSM_CLIENT_ID, clientSecret: ITSM_CLIENT_SECRET };
  const hasGiven = Boolean(ITSM_API_KEY || ITSM_CLIENT_ID);
  return { baseUrl, authUrl: ITSM_AUTH_URL ?? saved?.authUrl, ...(hasGiven ? given : saved && pickCredentials(saved)) };
}

/** Readable by its owner only: it contains a key. */
export function saveSettings(settings: Settings, environment: Environment): string {
  const file = settingsFile(environment);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  // An existing file would keep its old permissions.
  rmSync(file, { force: true });
  writeFileSync(file, `${JSON.stringify(settings, null, 2)}\n`, { mode: 0o600 });
  return file;
}

export function deleteSettings(environment: Environment): void {
  rmSync(settingsFile(environment), { force: true });
}

export function connectWith(settings: Settings | undefined): ServiceClient {
  if (!settings) throw new UsageError('Sign in first: itsm login --url http://localhost:3000 --key itsm_…');
  const { baseUrl, authUrl } = settings;
  return createClient({ baseUrl, ...(authUrl ? { authUrl } : {}), credentials: toCredentials(settings) });
}

function toCredentials({ apiKey, clientId, clientSecret }: Settings): Credentials {
  if (apiKey) return { apiKey };
  if (clientId && clientSecret) return { clientId, clientSecret };
  throw new UsageError('There is no API key. Run itsm login, or set ITSM_API_KEY.');
}

function pickCredentials({ apiKey, clientId, clientSecret }: Settings) {
  return { apiKey, clientId, clientSecret };
}

function readSaved(file: string): Settings | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
