import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { type Credentials, createClient, type ServiceClient } from '../client/index.ts';
import { type Environment, UsageError } from './command.ts';
import { createSessionCredentials, type SavedSession } from './session.ts';

// The address and credentials: from environment variables, or from the file that `itsm login` saved.

export interface Settings {
  baseUrl: string;
  authUrl?: string | undefined;
  apiKey?: string | undefined;
  clientId?: string | undefined;
  clientSecret?: string | undefined;
  /** Of a person who signed in with the browser. */
  session?: SavedSession | undefined;
}

/** Each profile has a file of its own beside that of the default profile: config.production.json. */
export function getSettingsPath({ ITSM_CONFIG, ITSM_PROFILE, XDG_CONFIG_HOME }: Environment): string {
  const file = ITSM_CONFIG ?? join(XDG_CONFIG_HOME ?? join(homedir(), '.config'), 'itsm/config.json');
  if (!ITSM_PROFILE) return file;
  if (!/^[\w-]+$/.test(ITSM_PROFILE))
    throw new UsageError('The name of a profile consists of letters, digits, "-" and "_".');
  return file.replace(/(\.json)?$/, `.${ITSM_PROFILE}.json`);
}

/** A profile on the command line takes precedence over an address and a key in environment variables. */
export function selectProfile(environment: Environment, profile: string | undefined): Environment {
  if (profile === undefined) return environment;
  const { ITSM_URL, ITSM_AUTH_URL, ITSM_API_KEY, ITSM_CLIENT_ID, ITSM_CLIENT_SECRET, ...rest } = environment;
  return { ...rest, ITSM_PROFILE: profile };
}

export function loadSettings(environment: Environment): Settings | undefined {
  const { ITSM_URL, ITSM_AUTH_URL, ITSM_API_KEY, ITSM_CLIENT_ID, ITSM_CLIENT_SECRET } = environment;
  const found = readSaved(getSettingsPath(environment));
  // A saved key must not go to another service.
  const saved = ITSM_URL && found?.baseUrl !== ITSM_URL ? undefined : found;
  const baseUrl = ITSM_URL ?? saved?.baseUrl;
  if (!baseUrl) return undefined;
  const given = { apiKey: ITSM_API_KEY, clientId: ITSM_CLIENT_ID, clientSecret: ITSM_CLIENT_SECRET };
  const hasGiven = Boolean(ITSM_API_KEY || ITSM_CLIENT_ID);
  return { baseUrl, authUrl: ITSM_AUTH_URL ?? saved?.authUrl, ...(hasGiven ? given : saved && pickCredentials(saved)) };
}

/** Readable by its owner only: it contains a key. A reader finds the old file or the new one, never half of it. */
export function saveSettings(settings: Settings, environment: Environment): string {
  const file = getSettingsPath(environment);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const unfinished = `${file}.${randomBytes(4).toString('hex')}`;
  writeFileSync(unfinished, `${JSON.stringify(settings, null, 2)}\n`, { mode: 0o600 });
  renameSync(unfinished, file);
  return file;
}

/** What `itsm login` saved, without the environment. */
export function readSavedSettings(environment: Environment): Settings | undefined {
  return readSaved(getSettingsPath(environment));
}

export function listProfiles({ ITSM_PROFILE: _, ...environment }: Environment): { profile: string; url: string }[] {
  const file = getSettingsPath(environment);
  const [start, end] = [`${basename(file, '.json')}.`, '.json'];
  const files = existsSync(dirname(file)) ? readdirSync(dirname(file)) : [];
  const names = files.filter((name) => name.startsWith(start) && name.endsWith(end) && name.length > start.length + 4);
  return ['', ...names.map((name) => name.slice(start.length, -end.length)).sort()].flatMap((profile) => {
    const saved = readSavedSettings({ ...environment, ITSM_PROFILE: profile });
    return saved ? [{ profile: profile || 'default', url: saved.baseUrl }] : [];
  });
}

export function deleteSettings(environment: Environment): void {
  rmSync(getSettingsPath(environment), { force: true });
}

export function connectWith(settings: Settings | undefined, environment: Environment): ServiceClient {
  if (!settings) {
    const profile = environment.ITSM_PROFILE ? ` --profile ${environment.ITSM_PROFILE}` : '';
    throw new UsageError(`Sign in first: itsm login --url http://localhost:3000${profile}`);
  }
  const { baseUrl, authUrl } = settings;
  return createClient({ baseUrl, ...(authUrl ? { authUrl } : {}), credentials: toCredentials(settings, environment) });
}

function toCredentials(settings: Settings, environment: Environment): Credentials {
  const { baseUrl, authUrl = baseUrl, apiKey, clientId, clientSecret, session } = settings;
  if (apiKey) return { apiKey };
  if (clientId && clientSecret) return { clientId, clientSecret };
  if (session)
    return createSessionCredentials(session, authUrl, (before, after) => saveSession(before, after, environment));
  throw new UsageError('There is no API key. Run itsm login, or set ITSM_API_KEY.');
}

/** Reads the file again, because another process may have signed in or out meanwhile. */
function saveSession(before: SavedSession, after: SavedSession, environment: Environment): void {
  const saved = readSavedSettings(environment);
  if (saved?.session?.refreshToken !== before.refreshToken) return;
  try {
    saveSettings({ ...saved, session: after }, environment);
  } catch {
    // The token works without being saved: the next command renews it again.
  }
}

function pickCredentials({ apiKey, clientId, clientSecret, session }: Settings) {
  return { apiKey, clientId, clientSecret, session };
}

function readSaved(file: string): Settings | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
