import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ended, launch, type Service, startService } from '../support/service.ts';

const run = promisify(execFile);
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'start-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('npm start', () => {
  it('prints a curl line that works, writes credentials for their owner only, and stops, connections notwithstanding', async () => {
    const service = await startService({ dataFolder: folder });
    const line = service
      .output()
      .split('\n')
      .find((each) => each.trim().startsWith('curl '))!;
    const { stdout } = await run('bash', ['-c', line.trim()]);
    expect(JSON.parse(stdout)).toMatchObject({ status: 'ok' });

    const file = join(folder, 'credentials.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
      base_url: service.baseUrl,
      auth_url: service.authUrl,
      clients: Object.fromEntries(
        ['admin', 'manager', 'agent', 'viewer'].map((name) => [
          name,
          { client_id: expect.any(String), client_secret: expect.any(String) },
        ]),
      ),
      users: expect.arrayContaining([
        { email: 'agent@example.com', password: expect.any(String), roles: ['itsm_agent'] },
      ]),
    });
    const template = readFileSync('dist/local/incidents-local.template.json', 'utf8');
    for (const { client_secret } of Object.values(service.credentials.clients))
      expect(template).not.toContain(client_secret);

    await fetch(`${service.baseUrl}/console/`).then((response) => response.text());
    const from = performance.now();
    service.process.kill('SIGINT');
    // The program itself ends with 1 when tidying up takes longer than two seconds.
    expect(await ended(service.process)).toBe(0);
    expect(performance.now() - from).toBeLessThan(5_000);
  });

  it.each<
    [string, () => Promise<{ environment?: Record<string, string>; args?: string[]; tidy?: () => unknown }>, RegExp]
  >([
    ['a port that is taken', takenPort, /^Port \d+ is taken\./],
    [
      'a data folder that cannot be written',
      async () => ({ environment: { DATA_DIR: unwritable() } }),
      /^The data folder .* is not writable/,
    ],
    ['a data folder that another server uses', sharedFolder, /^Another server is using the data folder/],
    ['a port that is none', async () => ({ environment: { PORT: 'abc' } }), /^PORT must be a port number/],
    ['an option that does not exist', async () => ({ args: ['--nope'] }), /^Unknown option --nope/],
  ])('says in one line why it cannot start: %s', async (_name, arrange, message) => {
    const { environment = {}, args = [], tidy } = await arrange();
    const { child, output } = launch({ dataFolder: folder, environment, args });
    expect(await ended(child)).toBe(1);
    expect(output().trim()).toMatch(message);
    expect(output().trim().split('\n')).toHaveLength(1);
    await tidy?.();
  });

  it('listens on loopback only, unless told otherwise', async () => {
    const address = Object.values(networkInterfaces())
      .flat()
      .find((each) => each?.family === 'IPv4' && !each.internal)?.address;
    const service = await startService();
    if (address) await expect(fetch(`http://${address}:${new URL(service.baseUrl).port}/`)).rejects.toThrow();
    await service.stop();
    const open = await startService({ environment: { HOST: '0.0.0.0' } });
    if (address) {
      const port = new URL(open.baseUrl).port;
      expect((await fetch(`http://${address}:${port}/prod/api/v1/health`)).status).toBe(401);
      expect((await fetch(`http://${address}:${port}/_local/clock`)).status).toBe(403);
    }
    await open.stop();
  });
});

async function takenPort() {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { environment: { PORT: String((server.address() as AddressInfo).port) }, tidy: () => server.close() };
}

async function sharedFolder() {
  const service: Service = await startService();
  return { environment: { DATA_DIR: service.dataFolder }, tidy: () => service.stop() };
}

function unwritable(): string {
  writeFileSync(join(folder, 'file'), '');
  return join(folder, 'file', 'data');
}
