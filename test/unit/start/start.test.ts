import { mkdtempSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLogFile } from '../../../bin/server/log-file.ts';
import { readSettings } from '../../../bin/server/settings.ts';

describe('settings of npm start', () => {
  it('defaults to the built-in model, demo data and port 3000', () => {
    expect(readSettings([], {})).toMatchObject({ port: 3000, host: '127.0.0.1', empty: false, llm: undefined });
  });

  it('accepts additional host names', () => {
    expect(readSettings([], {}).allowedHosts).toEqual([]);
    const { allowedHosts } = readSettings([], { ALLOWED_HOSTS: 'incidents.lan, proxy.lan:8443' });
    expect(allowedHosts).toEqual(['incidents.lan', 'proxy.lan:8443']);
  });

  it('accepts an external language model', () => {
    const args = ['--empty', '--llm', 'http://localhost:11434', '--llm-model=qwen3:8b'];
    expect(readSettings(args, { LLM_API_KEY: 'key' })).toMatchObject({
      empty: true,
      llm: { url: 'http://localhost:11434', model: 'qwen3:8b', apiKey: 'key' },
    });
  });

  it.each([
    [['--nope'], /^Unknown option --nope/],
    [['nope'], /^Unknown option nope/],
    [['--llm', 'ollama', '--llm-model', 'a'], /^--llm needs the address/],
    [['--llm'], /^--llm needs the address/],
    [['--llm-model', 'a'], /^--llm needs the address/],
    [['--llm', 'http://localhost:11434'], /^--llm-model needs the name/],
  ])('rejects %j in one line', (args, message) => {
    expect(() => readSettings(args, {})).toThrow(message);
  });

  it('lists all problems of single sign-on in one message', () => {
    const env = { OIDC_ISSUER: 'http://login.acme.org', ROLE_MAPPING: '{"desk":"agent"}', LOCAL_PASSWORDS: 'off' };
    const message = [
      'OIDC_ISSUER must be an address such as https://login.acme.org, not "http://login.acme.org".',
      'OIDC_ISSUER needs OIDC_CLIENT_ID.',
      'ROLE_MAPPING gives the group "desk" the unknown role "agent"; the roles are viewer, itsm_agent, itsm_manager, super_admin.',
      'LOCAL_PASSWORDS must be shown or hidden, not "off".',
      'OIDC_ISSUER needs OIDC_CLIENT_SECRET.',
    ].join('\n');
    expect(() => readSettings(['--production'], env)).toThrow(message);
  });
});

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'log-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const lines = () =>
  readFileSync(join(folder, 'server.log'), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

describe('openLogFile', () => {
  it('never throws on a full disk, and writes buffered lines completely when there is space', () => {
    let isFull = true;
    // A disk that takes a few bytes of a line before it is full.
    const write = ((file: number, bytes: Buffer) => {
      if (!isFull) return writeSync(file, bytes);
      if (bytes.length > 7) return writeSync(file, bytes.subarray(0, 7));
      throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
    }) as typeof writeSync;
    const log = openLogFile(folder, write);
    log.info('one');
    log.flush();
    log.info('two');
    isFull = false;
    log.flush();
    log.close();
    expect(lines()).toEqual([expect.objectContaining({ message: 'one' }), expect.objectContaining({ message: 'two' })]);
  });

  it('counts the lines that it had to drop', () => {
    let isFull = true;
    const write = ((file: number, bytes: Buffer) => {
      if (isFull) throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
      return writeSync(file, bytes);
    }) as typeof writeSync;
    const log = openLogFile(folder, write);
    for (let line = 0; line < 5; line++) {
      log.info('x'.repeat(400_000));
      log.flush();
    }
    isFull = false;
    log.flush();
    log.close();
    const written = lines();
    expect(written.filter(({ level }) => level === 'info')).toHaveLength(2);
    expect(written.at(-1)).toMatchObject({ lines: 3 });
  });
});
