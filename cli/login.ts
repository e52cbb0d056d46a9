import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { type Command, readText, UsageError } from './command.ts';
import { connectWith, deleteSettings, type Settings, saveSettings } from './settings.ts';

export const loginCommands: Command[] = [
  {
    name: 'login',
    summary: 'Save the address of the service and a key, client credentials or a key from the browser',
    options: {
      url: { type: 'string', value: 'url', description: 'Address of the service (http://localhost:3000).' },
      'auth-url': { type: 'string', value: 'url', description: 'AuthUrl of the stack, on AWS.' },
      key: { type: 'string', value: 'itsm_…', description: 'API key; "-" reads it from standard input.' },
      'client-id': { type: 'string', value: 'id', description: 'Client credentials.' },
      'client-secret': { type: 'string', value: 'secret', description: 'Client credentials.' },
      credentials: { type: 'string', value: 'file', description: 'credentials.json of a local service.' },
      as: { type: 'string', value: 'client', description: 'Client in credentials.json (agent).' },
    },
    async run({ options, output }) {
      const given = readText(options, 'credentials')
        ? readCredentials(options)
        : await readOptions(options, output.note);
      // A wrong key must not replace one that works.
      const { email, roles } = await connectWith(given).getMe();
      const file = saveSettings(given, process.env);
      output.result(`Signed in as ${email} (${roles.join(', ')}). Saved in ${file}`, { email, roles, file });
    },
  },
  {
    name: 'logout',
    summary: 'Delete the saved address and key',
    async run({ output }) {
      deleteSettings(process.env);
      output.result('Signed out', { signed_out: true });
    },
  },
];

type Options = Parameters<Command['run']>[0]['options'];

function readCredentials(options: Options): Settings {
  const file = readText(options, 'credentials') ?? '';
  const name = readText(options, 'as') ?? 'agent';
  const { base_url, auth_url, clients } = JSON.parse(readFileSync(file, 'utf8'));
  const client = clients?.[name];
  if (!client) throw new UsageError(`${file} has no client "${name}".`);
  return { baseUrl: base_url, authUrl: auth_url, clientId: client.client_id, clientSecret: client.client_secret };
}

async function readOptions(options: Options, note: (text: string) => void): Promise<Settings> {
  const baseUrl = readText(options, 'url') ?? 'http://localhost:3000';
  const shared = { baseUrl, authUrl: readText(options, 'auth-url') };
  const clientId = readText(options, 'client-id');
  if (clientId) return { ...shared, clientId, clientSecret: readText(options, 'client-secret') };
  const key = readText(options, 'key');
  return { ...shared, apiKey: key && key !== '-' ? key : await askForKey(baseUrl, key === '-', note) };
}

/** People sign in and create the key in the console; the program never sees their password. */
async function askForKey(baseUrl: string, isPiped: boolean, note: (text: string) => void): Promise<string> {
  if (!isPiped) {
    const page = new URL('/console/profile', baseUrl).href;
    note(`Sign in at ${page}, create an API key and paste it here.`);
    if (process.stdin.isTTY) openBrowser(page);
  }
  const input = createInterface({ input: process.stdin, output: process.stderr, terminal: false });
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
