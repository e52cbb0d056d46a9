import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listFiles } from '../../tools/build/local-build.ts';
import { sendRaw } from '../support/raw-http.ts';
import { findFreePort } from '../support/receivers.ts';
import { launch, type Service, startService, waitForExit } from '../support/service.ts';
import { until } from '../support/until.ts';
import { findChromium, launchChromium, reportMissingChromium } from './chromium.ts';
import { signIn } from './in-console.ts';

const nginx = ['/usr/sbin/nginx', '/usr/bin/nginx', '/usr/local/bin/nginx'].find((path) => existsSync(path));
const folder = mkdtempSync(join(tmpdir(), 'self-hosting-'));
let service: Service;
let port: number;
let tlsPort: number;

const start = () =>
  startService({
    dataFolder: join(folder, 'data'),
    args: ['--production'],
    environment: {
      PORT: String(port),
      PUBLIC_URL: `https://localhost:${tlsPort}`,
      TRUSTED_PROXIES: '127.0.0.1',
      ADMIN_EMAIL: 'ada@acme.org',
    },
  });

beforeAll(async () => {
  [port, tlsPort] = [await findFreePort(), await findFreePort()];
  service = await start();
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

const findPassword = (text: string) => /sign in as ada@acme\.org with (\S+)/.exec(text)?.[1];

describe('npm start -- --production', () => {
  it('has one administrator, no demo users, no demo clients and no /_local', async () => {
    expect(findPassword(service.output())).toMatch(/^\S{12,}$/);
    const facts = JSON.parse(readFileSync(join(service.dataFolder, 'credentials.json'), 'utf8'));
    expect(Object.keys(facts)).toEqual(expect.not.arrayContaining(['clients', 'users']));
    expect((await sendRaw(`http://127.0.0.1:${port}/_local/clock`)).status).toBe(404);
  });

  it("does not store the administrator's password", () => {
    const password = findPassword(service.output()) ?? '';
    const texts = listFiles(service.dataFolder).map((file) => readFileSync(file, 'latin1'));
    expect(texts.filter((text) => text.includes(password))).toEqual([]);
  });

  it('uses the public URL as issuer and accepts its host name', async () => {
    const headers = ['Host', `localhost:${tlsPort}`];
    const config = await sendRaw(`http://127.0.0.1:${port}/console/config.json`, { headers });
    expect(JSON.parse(config.text)).toMatchObject({ base_url: `https://localhost:${tlsPort}` });
    const other = await sendRaw(`http://127.0.0.1:${port}/console/`, { headers: ['Host', 'evil.example'] });
    expect(other.status).toBe(421);
    const forwarded = ['Host', `localhost:${port}`, 'X-Forwarded-For', '203.0.113.9'];
    expect((await sendRaw(`http://127.0.0.1:${port}/console/`, { headers: forwarded })).status).toBe(421);
  });

  it('trusts the client address of a configured proxy', async () => {
    const { dataFolder } = service;
    const headers = ['Host', `localhost:${tlsPort}`, 'X-Forwarded-For', '203.0.113.9, 198.51.100.7'];
    await sendRaw(`http://127.0.0.1:${port}/prod/api/v1/me`, { headers });
    const readLog = () => readFileSync(join(dataFolder, 'server.log'), 'utf8');
    // The log is written a little later.
    await until(readLog, (log) => log.includes('"source_ip":"198.51.100.7"'));
  });

  it('rejects a data folder that contains the demo', async () => {
    const demo = mkdtempSync(join(tmpdir(), 'demo-'));
    writeFileSync(join(demo, 'credentials.json'), '{"users":[]}');
    const { child, output } = launch({ dataFolder: demo, args: ['--production'] });
    expect(await waitForExit(child)).toBe(1);
    expect(output().trim()).toMatch(/^The data folder .* contains the demo\./);
    rmSync(demo, { recursive: true });
  });

  it('supports sign-in behind nginx with TLS, and shows the password only on the first start', async () => {
    const executable = findChromium();
    if (!executable) return reportMissingChromium();
    if (!nginx) return console.warn('No nginx was found: the server was NOT tested behind a proxy.');
    const password = findPassword(service.output()) ?? '';
    const proxy = await startProxy(nginx);
    const browser = await launchChromium(executable);
    try {
      const page = await browser.newPage({ ignoreHTTPSErrors: true });
      page.setDefaultTimeout(120_000);
      await page.goto(`https://localhost:${tlsPort}/`);
      await signIn(page, { email: 'ada@acme.org', password });
      expect(page.url()).toBe(`https://localhost:${tlsPort}/console/`);
      const cookies = await page.context().cookies();
      expect(cookies.filter(({ secure }) => !secure)).toEqual([]);
      await service.end();
      service = await start();
      expect(service.output()).toContain('the administrator is ada@acme.org');
      expect(findPassword(service.output())).toBeUndefined();
    } finally {
      await browser.close();
      proxy.kill();
      await waitForExit(proxy);
    }
  });
});

/** The configuration of docs/examples/nginx.conf with our ports and a certificate of its own. */
async function startProxy(program: string): Promise<ChildProcess> {
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const subject = ['-subj', '/CN=localhost', '-days', '2'];
  const files = ['-keyout', key, '-out', certificate];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...files, ...subject], { stdio: 'ignore' });
  const server = readFileSync(new URL('../../docs/examples/nginx.conf', import.meta.url), 'utf8')
    .replace('listen 443 ssl', `listen 127.0.0.1:${tlsPort} ssl`)
    .replace('incidents.example.com', 'localhost')
    .replace('/etc/ssl/incidents/fullchain.pem', certificate)
    .replace('/etc/ssl/incidents/privkey.pem', key)
    .replace('127.0.0.1:3000', `127.0.0.1:${port}`);
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(folder, name)};`,
  );
  const file = join(folder, 'nginx.conf');
  const pid = join(folder, 'nginx.pid');
  const main = `daemon off; pid ${pid}; error_log stderr; events {}`;
  writeFileSync(file, `${main}\nhttp { access_log off; ${paths.join(' ')}\n${server} }`);
  const child = spawn(program, ['-c', file, '-e', 'stderr'], { stdio: 'ignore' });
  await until(
    () => isListening(tlsPort),
    (isOpen) => isOpen,
  );
  return child;
}

function isListening(target: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(target, '127.0.0.1')
      .once('connect', () => resolve(true))
      .once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
