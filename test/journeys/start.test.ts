import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { Agent, createServer, get, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import Database from 'libsql';
import { assembleServer } from '../../tools/build/archive.ts';
import { listFiles, readTemplate } from '../../tools/build/local-build.ts';
import { getToken } from '../support/http.ts';
import { launch, type Service, startService, waitForExit } from '../support/service.ts';
import { until } from '../support/until.ts';

const run = promisify(execFile);
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'start-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('npm start', () => {
  it('prints a working curl line, writes credentials readable only by their owner, and stops despite open connections', async () => {
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
    const template = JSON.stringify(readTemplate());
    for (const { client_secret } of Object.values(service.credentials.clients))
      expect(template).not.toContain(client_secret);

    await fetch(`${service.baseUrl}/console/`).then((response) => response.text());
    service.process.kill('SIGINT');
    // The program itself ends with 1 when tidying up takes longer than two seconds.
    expect(await waitForExit(service.process)).toBe(0);
  });

  it('runs from an archive of at most 250 MB, without sources and without a build', async () => {
    const programFolder = join(folder, 'archive');
    assembleServer(programFolder);
    const bytes = listFiles(programFolder).reduce((sum, file) => sum + statSync(file).size, 0);
    expect(bytes).toBeLessThan(250e6);
    const service = await startService({ programFolder });
    expect(service.output()).not.toContain('Building');
    const token = await getToken(service, 'agent');
    const ask = { question: 'How do I reset my password?' };
    const { status } = await fetch(`${service.baseUrl}/prod/api/v1/ai/ask`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(ask),
    });
    expect(status).toBe(200);
    await run('npm', ['run', 'backup', '--', join(folder, 'backup')], {
      cwd: programFolder,
      env: { ...process.env, DATA_DIR: service.dataFolder },
    });
    await service.stop();
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
    [
      'data of a newer version',
      newerData,
      /^The database .* has the format 99, but this program supports formats up to/,
    ],
    ['a port that is none', async () => ({ environment: { PORT: 'abc' } }), /^PORT must be a port number/],
    ['an option that does not exist', async () => ({ args: ['--nope'] }), /^Unknown option --nope/],
  ])('says in one line why it cannot start: %s', async (_name, arrange, message) => {
    const { environment = {}, args = [], tidy } = await arrange();
    const { child, output } = launch({ dataFolder: folder, environment, args });
    expect(await waitForExit(child)).toBe(1);
    expect(output().trim()).toMatch(message);
    expect(output().trim().split('\n')).toHaveLength(1);
    await tidy?.();
  });

  it('makes the data folder private, even if an earlier version did not', async () => {
    const modes = (path: string): number[] => [path, ...listFiles(path)].map((file) => statSync(file).mode & 0o077);
    const data = join(folder, 'data');
    const first = await startService({ dataFolder: data });
    await first.end();
    expect(new Set(modes(data))).toEqual(new Set([0]));
    chmodSync(data, 0o755);
    for (const file of ['runtime.db', 'credentials.json', 'server.log']) chmodSync(join(data, file), 0o644);
    const second = await startService({ dataFolder: data });
    expect(new Set(modes(data))).toEqual(new Set([0]));
    await second.stop();
  });

  it('returns 503 while too many files are open, and recovers afterwards', async () => {
    const service = await startService({ maxOpenFiles: 160 });
    const { hostname, port } = new URL(service.baseUrl);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const headers = { authorization: `Bearer ${await getToken(service, 'admin')}` };
    const read = (path: string) =>
      new Promise<IncomingMessage>((resolve, reject) => {
        const request = get({ agent, hostname, port, path, headers }, (response) => {
          response.resume().once('close', () => resolve(response));
        });
        request.once('error', reject);
      });
    const console = async () => (await read('/console/')).statusCode;
    expect(await console()).toBe(200);
    // The authorizer is loaded from here on.
    expect((await read('/prod/api/v1/health')).statusCode).toBe(200);
    // The server also closes connections of its own meanwhile (idle keep-alive), so keep opening more until it is full.
    const sockets: Socket[] = [];
    let full: number | undefined = 200;
    for (let tries = 0; full === 200 && tries < 1000; tries++) {
      const socket = connect(Number(port), hostname).on('error', () => {});
      sockets.push(socket);
      await Promise.race([once(socket, 'connect'), once(socket, 'close')]);
      full = await console();
    }
    expect(full).toBe(503);
    // Its function has a worker of its own, which cannot start.
    const coldRoute = '/prod/api/v1/ai/statistics';
    expect(await read(coldRoute)).toMatchObject({ statusCode: 503, headers: { 'retry-after': '1' } });
    for (const socket of sockets) socket.destroy();
    expect(await until(console, (status) => status !== 503)).toBe(200);
    expect((await read(coldRoute)).statusCode).toBe(200);
    expect((await fetch(`${service.baseUrl}/prod/api/v1/health`)).status).toBe(401);
    agent.destroy();
    await service.stop();
  });

  it('listens on loopback by default', async () => {
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

async function newerData() {
  const database = new Database(join(folder, 'runtime.db'));
  database.exec('PRAGMA user_version = 99');
  database.close();
  return {};
}

async function sharedFolder() {
  const service: Service = await startService();
  return { environment: { DATA_DIR: service.dataFolder }, tidy: () => service.stop() };
}

function unwritable(): string {
  writeFileSync(join(folder, 'file'), '');
  return join(folder, 'file', 'data');
}
