import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deliveryPayloads } from '../../contract/event-payloads.ts';
import { inboundPresetNames } from '../../contract/inbound-presets.ts';
import { root } from '../../tools/build/local-build.ts';
import { send } from '../support/inbound-webhooks.ts';
import { type Api, getApi } from '../support/incidents.ts';
import { tscPath } from '../support/packages.ts';
import { findFreePort } from '../support/receivers.ts';
import { type Service, startService } from '../support/service.ts';

// The examples of docs/integrations.md and docs/receive-events.md, run as a reader would run them.

const integrations = readFileSync('docs/integrations.md', 'utf8');
const events = readFileSync('docs/receive-events.md', 'utf8');
const codeBlocks = (page: string, language: string) =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, code = '']) => code);
const isInstalled = (program: string) => !spawnSync(program, ['version']).error;

let service: Service;
let manager: Api;
let folder: string;
const children: ChildProcess[] = [];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'receivers-'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  service = await startService();
  manager = await getApi(service, 'manager');
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('documented integrations', () => {
  it.each([
    ['js', 'library.mjs', 'node', []],
    ['js', 'receiver.mjs', 'node', []],
    ['python', 'receiver.py', 'python3', []],
    ['go', 'receiver.go', 'go', ['build', '-o', 'receiver']],
  ])(
    'have a receiver that verifies deliveries: %s in %s',
    async (language, file, program, build) => {
      if (!isInstalled(program)) {
        console.info(`Skipped: ${program} is not installed.`);
        return;
      }
      writeFileSync(join(folder, file), codeBlocks(events, language).at(file === 'receiver.mjs' ? 1 : 0) ?? '');
      if (build.length > 0) expect(await run(program, [...build, file])).toBe(0);
      const command = build.length > 0 ? [join(folder, 'receiver')] : [program, file];
      const genuine = await findFreePort();
      const other = await findFreePort();
      const webhook = await aWebhook(genuine);
      const stranger = await aWebhook(other);
      await startReceiver(command, genuine, webhook.secret);
      await startReceiver(command, other, 'whsec_YW5vdGhlciBzZWNyZXQ=');
      expect(await ping(webhook.id)).toMatchObject({ status: 'delivered', last_status: 204 });
      expect(await ping(stranger.id)).toMatchObject({ status: 'failed', last_status: 401 });
    },
    120_000,
  );

  it('have a receiver that compiles in strict TypeScript', async () => {
    writeFileSync(join(folder, 'receiver.mts'), codeBlocks(events, 'js').at(1) ?? '');
    const types = ['--typeRoots', join(root, 'node_modules/@types'), '--types', 'node'];
    const options = ['--strict', '--noEmit', '--module', 'nodenext', ...types];
    expect(await run(process.execPath, [tscPath, ...options, 'receiver.mts'])).toBe(0);
  });

  it('have a mapping that creates and resolves incidents', async () => {
    const { status: created, body: webhook } = await manager.post(
      '/webhooks/inbound',
      JSON.parse(codeBlocks(integrations, 'json')[0] ?? ''),
    );
    expect(created).toBe(201);
    const probe = (status: string, environment = 'production') =>
      send(service, webhook.id, { status, environment, check: { id: 7, name: 'Shop' } });
    const { incident_id } = (await probe('down')).body;
    expect((await probe('up', 'staging')).body.status).toBe('filtered');
    expect((await probe('up')).body).toMatchObject({ status: 'updated', incident_id });
    expect((await manager.get(`/incidents/${incident_id}`)).body).toMatchObject({
      short_description: 'Shop is down',
      state: 'resolved',
      resolution: 'Shop is up again.',
    });
  });

  it('list every preset', () => {
    for (const name of inboundPresetNames) expect(integrations).toContain(`| \`${name}\` |`);
  });

  it('list every event type, with payloads as they are sent', () => {
    for (const { event } of deliveryPayloads) expect(events).toContain(`| \`${event}\` |`);
    for (const sample of codeBlocks(events, 'json').map((code) => JSON.parse(code)))
      deliveryPayloads.find(({ event }) => event === sample.event)!.schema.parse(sample);
  });
});

async function run(program: string, args: readonly string[]): Promise<number> {
  const [status] = await once(spawn(program, args, { cwd: folder, stdio: 'ignore' }), 'exit');
  return status;
}

async function aWebhook(port: number): Promise<{ id: string; secret: string }> {
  const url = `http://127.0.0.1:${port}/`;
  const fields = { name: 'Receiver', url, events: ['incident.created'], sign_payloads: true };
  return (await manager.post('/webhooks/outbound', fields)).body;
}

async function ping(id: string): Promise<{ status: string }> {
  const { headers } = await manager.post(`/webhooks/outbound/${id}/test`, undefined);
  const path = String(headers.get('location')).replace('/prod/api/v1', '');
  // Waits until everything that is under way has arrived.
  await service.advance('1s');
  return (await manager.get(path)).body;
}

async function startReceiver([program = '', ...args]: string[], port: number, secret: string): Promise<void> {
  const environment = { ...process.env, PORT: String(port), WEBHOOK_SECRET: secret };
  children.push(spawn(program, args, { cwd: folder, env: environment, stdio: 'ignore' }));
  for (const endMs = Date.now() + 60_000; Date.now() < endMs; ) {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await Promise.race([
      once(socket, 'connect').then(
        () => true,
        () => false,
      ),
      once(socket, 'close').then(() => false),
    ]);
    socket.destroy();
    if (isOpen) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`no receiver listens on ${port}`);
}
