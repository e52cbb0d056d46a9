import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import type { Readable } from 'node:stream';
import { createTokenEndpoint, revokeRefreshToken, ServiceProblem } from '../client/index.ts';
import { signInWithBrowser } from './browser-login.ts';
import { type Command, type CommandInput, readText, UsageError } from './command.ts';
import {
  connectWith,
  deleteSettings,
  listProfiles,
  readSavedSettings,
  type Settings,
  saveSettings,
} from './settings.ts';

export const loginCommands: Command[] = [
  {
    name: 'login',
    summary: 'Sign in with the browser, a key or client credentials',
    options: {
      url: { type: 'string', value: 'url', description: 'Address of the service (http://localhost:3000).' },
      'auth-url': { type: 'string', value: 'url', description: 'AuthUrl of the stack, on AWS.' },
      'no-browser': { type: 'boolean', description: 'Print the address of the sign-in page instead of opening it.' },
      key: { type: 'string', value: 'itsm_…', description: 'API key; "-" reads it from standard input.' },
      'client-id': { type: 'string', value: 'id', description: 'Client credentials.' },
      'client-secret': { type: 'string', value: 'secret', description: 'Client credentials.' },
      credentials: { type: 'string', value: 'file', description: 'credentials.json of a local service.' },
      as: { type: 'string', value: 'client', description: 'Client in credentials.json (agent).' },
    },
    async run(input) {
      const { options, output, environment } = input;
      const given = readText(options, 'credentials') ? readCredentials(options) : await readOptions(input);
      // A wrong key must not replace one that works.
      const { email, roles } = await connectWith(given, environment).getMe();
      const file = saveSettings(given, environment);
      output.result(`Signed in as ${email} (${roles.join(', ')}). Saved in ${file}`, { email, roles, file });
    },
  },
  {
    name: 'logout',
    summary: 'End the session and delete the saved address and key',
    async run({ output, environment }) {
      const saved = readSavedSettings(environment);
      deleteSettings(environment);
      if (saved?.session) await revokeSession(saved, output.note);
      output.result('Signed out', { signed_out: true });
    },
  },
  {
    name: 'profiles',
    summary: 'List the profiles that itsm login --profile saved',
    async run({ output, environment }) {
      output.table(listProfiles(environment), ['profile', 'url']);
    },
  },
];

const revocationTimeoutMs = 10_000;

/** The person is signed out on this machine even if the service cannot be reached. */
async function revokeSession({ baseUrl, authUrl = baseUrl, session }: Settings, note: (text: string) => void) {
  if (!session) return;
  const endpoint = createTokenEndpoint(authUrl, { timeoutMs: revocationTimeoutMs });
  await revokeRefreshToken(session, endpoint).catch((error: unknown) => {
    if (!(error instanceof ServiceProblem)) throw error;
    note(`The saved session is deleted, but the service did not end it: ${error.detail}`);
  });
}

function readCredentials(options: CommandInput['options']): Settings {
  const file = readText(options, 'credentials') ?? '';
  const name = readText(options, 'as') ?? 'agent';
  const { base_url, auth_url, clients } = JSON.parse(readFileSync(file, 'utf8'));
  const client = clients?.[name];
  if (!client) throw new UsageError(`${file} has no client "${name}".`);
  return { baseUrl: base_url, authUrl: auth_url, clientId: client.client_id, clientSecret: client.client_secret };
}

async function readOptions({ options, output, stdin, signal }: CommandInput): Promise<Settings> {
  const baseUrl = readText(options, 'url') ?? 'http://localhost:3000';
  if (!URL.canParse(baseUrl)) throw new UsageError(`--url must be an http or https address, not "${baseUrl}".`);
  const shared = { baseUrl, authUrl: readText(options, 'auth-url') };
  const clientId = readText(options, 'client-id');
  if (clientId) return { ...shared, clientId, clientSecret: readText(options, 'client-secret') };
  const key = readText(options, 'key');
  if (key) return { ...shared, apiKey: key === '-' ? await readKey(stdin) : key };
  const isPrinted = options['no-browser'] === true;
  const show = (page: string) => {
    output.note(isPrinted ? `Sign in at\n${page}` : `Sign in with the browser. If no window opens, go to\n${page}`);
    if (isPrinted) output.note('If the browser runs on another machine, paste the address of its last page here.');
    else openBrowser(page);
  };
  return signInWithBrowser({ baseUrl, show, pasted: isPrinted ? stdin : undefined, signal });
}

async function readKey(stdin: Readable): Promise<string> {
  const input = createInterface({ input: stdin, terminal: false });
  try {
    for await (const line of input) if (line.trim() !== '') return line.trim();
  } finally {
    input.close();
  }
  throw new UsageError('No key was given.');
}

function openBrowser(page: string): void {
  const command = process.platform === 'darwin' ? 'open' : process.platform === 'win32' ? 'explorer' : 'xdg-open';
  // Without a browser, the address on the terminal is enough.
  spawn(command, [page], { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref();
}
