import { errors } from '../../contract/errors.ts';
import { startTestService } from '../support/incidents.ts';
import { sendRaw } from '../support/raw-http.ts';

const { service } = await startTestService();

const get = (path: string, ...headers: string[]) => sendRaw(`${service.baseUrl}${path}`, { headers });
const findScript = async () => /main-[A-Z0-9]{8}\.js/.exec((await get('/console/')).text)?.[0] ?? 'none';

describe('the distribution', () => {
  it.each(['/', '/console'])('redirects %s to the console', async (path) => {
    expect(await get(path)).toMatchObject({ status: 302, headers: { location: '/console/' } });
  });

  it.each(['/console/', '/console/incidents/INC0000001', '/console/a.b/c'])('serves the page at %s', async (path) => {
    const { status, headers, text } = await get(path);
    expect({ status, type: headers['content-type'] }).toEqual({ status: 200, type: 'text/html; charset=utf-8' });
    expect(headers['cache-control']).toBe('no-cache');
    expect(text).not.toMatch(/<script(?![^>]*\ssrc=)|\son\w+=/);
  });

  it.each(['/console/none.js', '/console/%.js', '/nothing', '/console/..%2f..%2frelease.json'])(
    'has no file %s',
    async (path) => {
      expect((await get(path)).status).toBe(404);
    },
  );

  it('explains the type of every problem on a page without a sign-in', async () => {
    const { text } = await get('/prod/api/v1/incidents');
    const { type, code } = JSON.parse(text) as { type: string; code: string };
    const [path = '', anchor = ''] = type.split('#');
    const page = await get(path);
    expect({ anchor, status: page.status }).toEqual({ anchor: code, status: 200 });
    for (const each of Object.keys(errors)) expect(page.text).toContain(`<section id="${each}">`);
  });

  it('lets browsers cache files for a year, compressed as they accept it', async () => {
    const path = `/console/${await findScript()}`;
    const plain = await get(path);
    expect(plain.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/javascript; charset=utf-8',
    });
    expect(plain.headers['content-encoding']).toBeUndefined();
    const sizes = await Promise.all(
      ['gzip', 'gzip, br', 'identity'].map(async (accepted) => {
        const { headers } = await get(path, 'Accept-Encoding', accepted);
        return [headers['content-encoding'], Number(headers['content-length'])];
      }),
    );
    const size = Number(plain.headers['content-length']);
    expect(sizes).toEqual([
      ['gzip', expect.any(Number)],
      ['br', expect.any(Number)],
      [undefined, size],
    ]);
    expect(Number(sizes[1]?.[1])).toBeLessThan(size / 3);
  });

  it('confirms a file that the browser has', async () => {
    const { headers } = await get('/console/');
    expect(await get('/console/', 'If-None-Match', headers.etag ?? '')).toMatchObject({ status: 304, text: '' });
  });

  it('adds the headers of its policy to every file', async () => {
    for (const path of ['/console/', '/console/config.json', '/nothing']) {
      expect((await get(path)).headers).toMatchObject({
        'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
        'strict-transport-security': 'max-age=31536000',
      });
    }
  });

  it('replaces no error of the API by a page', async () => {
    const { status, headers } = await get('/prod/api/v1/nothing');
    expect({ status, type: headers['content-type'] }).toEqual({ status: 404, type: 'application/problem+json' });
    expect(headers['x-frame-options']).toBeUndefined();
  });

  it('allows reading only', async () => {
    expect((await sendRaw(`${service.baseUrl}/console/`, { method: 'POST', body: 'x' })).status).toBe(403);
  });
});

describe('the console', () => {
  it('is published again when its configuration changes', async () => {
    // The data folder comes from a service that had another port.
    const config = await (await fetch(`${service.baseUrl}/console/config.json`)).json();
    expect(config).toEqual({
      base_url: service.baseUrl,
      auth_url: service.authUrl,
      client_id: expect.any(String),
      service_instance: 'local',
      command_line_client_id: expect.any(String),
      command_line_redirect_uris: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/callback( |$)/),
    });
  });
});
