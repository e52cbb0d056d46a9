import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createDeliveryLimiter } from '../../../../lambdas/webhooks/outbound/delivery-limiter.ts';
import { assertReceiver } from '../../../../lambdas/webhooks/outbound/manage-webhooks.ts';
import { createReceiverClient } from '../../../../lambdas/webhooks/outbound/receiver.ts';
import { createAddressRule, type Resolve, toHost } from '../../../../lambdas/webhooks/outbound/receiver-address.ts';

const servers: Server[] = [];

async function listening(answer: RequestListener, address = '127.0.0.1', wanted = 0): Promise<number> {
  const server = createServer(answer).listen(wanted, address);
  servers.push(server);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

const body = Buffer.from('{"a":1}');
const postTo = (url: string, timeoutMs = 2_000) =>
  createReceiverClient(createAddressRule('allowed'))({ url, headers: { 'x-test': '1' }, body, timeoutMs });

describe('receiver', () => {
  it('posts the bytes with the headers and returns the response', async () => {
    const seen: unknown[] = [];
    const port = await listening(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      seen.push(request.method, request.headers['x-test'], Buffer.concat(chunks).toString());
      response.writeHead(201, { 'retry-after': '7' }).end('thanks');
    });
    const answer = await postTo(`http://127.0.0.1:${port}/a?b=c`);
    expect(answer).toEqual({ kind: 'responded', status: 201, text: 'thanks', retryAfter: '7' });
    expect(seen).toEqual(['POST', '1', '{"a":1}']);
  });

  it('stores 1,024 bytes of a response and reads at most 64 KB', async () => {
    let written = 0;
    const port = await listening((_request, response) => {
      response.writeHead(200);
      const more = () => {
        while (written < 50_000_000 && !response.destroyed) {
          written += 16_384;
          if (!response.write(Buffer.alloc(16_384, 'x'))) {
            response.once('drain', more);
            return;
          }
        }
      };
      more();
    });
    const answer = await postTo(`http://127.0.0.1:${port}/`);
    expect(answer).toEqual({ kind: 'responded', status: 200, text: 'x'.repeat(1_024), retryAfter: undefined });
    // The buffers of the operating system are unknown, but smaller than 50 MB.
    expect(written).toBeLessThan(20_000_000);
  });

  it.each([
    [200, { kind: 'failed', error: 'returned 200, but the response did not end within 0 s' }],
    [503, { kind: 'responded', status: 503, retryAfter: '7' }],
  ])('fails when a response with the status %d does not end before the timeout', async (status, expected) => {
    const port = await listening((_request, response) => {
      response.writeHead(status, { 'retry-after': '7' });
      const drip = setInterval(() => response.write('.'), 20);
      response.once('close', () => clearInterval(drip));
    });
    const from = performance.now();
    const answer = await postTo(`http://127.0.0.1:${port}/`, 300);
    expect(answer).toMatchObject(expected);
    // The response would never end. A busy machine only takes longer.
    expect(performance.now() - from).toBeLessThan(20_000);
  });

  it('times out without a response', async () => {
    const port = await listening(() => {});
    const answer = await postTo(`http://127.0.0.1:${port}/`, 200);
    expect(answer).toEqual({ kind: 'failed', error: 'no response within 0 s' });
  });

  it('times out with slow headers', async () => {
    const port = await listening((request) => {
      request.socket.write('HTTP/1.1 200 OK\r\n');
      const drip = setInterval(() => request.socket.write('x: y\r\n'), 20);
      request.socket.once('close', () => clearInterval(drip));
    });
    expect(await postTo(`http://127.0.0.1:${port}/`, 300)).toMatchObject({ kind: 'failed' });
  });

  it('does not follow redirects', async () => {
    let visits = 0;
    const port = await listening((_request, response) => {
      visits++;
      response.writeHead(302, { location: '/elsewhere' }).end();
    });
    expect(await postTo(`http://127.0.0.1:${port}/`)).toMatchObject({ kind: 'responded', status: 302 });
    expect(visits).toBe(1);
  });

  it('describes why there was no response', async () => {
    const port = await listening(() => {});
    servers.splice(0)[0]!.close();
    expect(await postTo(`http://127.0.0.1:${port}/`)).toEqual({ kind: 'failed', error: 'the connection was refused' });
  });

  it('rejects a private address in the URL', async () => {
    const post = createReceiverClient(createAddressRule('rejected'));
    for (const host of ['127.0.0.1', '[::1]', '0x7f.1', '169.254.169.254', '[::ffff:127.0.0.1]']) {
      const answer = await post({ url: `https://${host}/`, headers: {}, body, timeoutMs: 1_000 });
      expect(answer).toMatchObject({ kind: 'failed', error: expect.stringMatching(/address/) });
    }
  });
});

describe('host names of receivers', () => {
  /** Only 127.0.0.2 counts as public here, so that nothing leaves this machine. */
  const rule = (address: string) => (address === '127.0.0.2' ? undefined : `${address} is not a public address`);

  it('are resolved once, so that a later DNS change has no effect', async () => {
    let inside = 0;
    let outside = 0;
    const port = await listening((_request, response) => {
      outside++;
      response.end();
    }, '127.0.0.2');
    await listening(
      (_request, response) => {
        inside++;
        response.end();
      },
      '127.0.0.1',
      port,
    );
    let asked = 0;
    const changing: Resolve = async () => {
      asked++;
      return [{ address: asked === 1 ? '127.0.0.2' : '127.0.0.1', family: 4 }];
    };
    const post = createReceiverClient(rule, changing);
    const url = `http://rebinding.localhost:${port}/`;
    expect(await post({ url, headers: { connection: 'close' }, body, timeoutMs: 1_000 })).toMatchObject({
      status: 200,
    });
    expect({ asked, inside, outside }).toEqual({ asked: 1, inside: 0, outside: 1 });
    // The second resolved address is rejected.
    expect(await post({ url, headers: { connection: 'close' }, body, timeoutMs: 1_000 })).toMatchObject({
      kind: 'failed',
      error: 'rebinding.localhost: 127.0.0.1 is not a public address',
    });
    expect({ asked, inside, outside }).toEqual({ asked: 2, inside: 0, outside: 1 });
  });

  it('are rejected if one of their addresses is private', async () => {
    const mixed: Resolve = async () => [
      { address: '127.0.0.2', family: 4 },
      { address: '10.0.0.1', family: 4 },
    ];
    const answer = await createReceiverClient(
      rule,
      mixed,
    )({ url: 'https://mixed.example/', headers: {}, body, timeoutMs: 1_000 });
    expect(answer).toEqual({ kind: 'failed', error: 'mixed.example: 10.0.0.1 is not a public address' });
  });

  it('fail when they have no address', async () => {
    const post = createReceiverClient(rule, async () => []);
    expect(await post({ url: 'https://nobody.example/', headers: {}, body, timeoutMs: 1_000 })).toEqual({
      kind: 'failed',
      error: 'nobody.example has no address',
    });
  });
});

const never = () => new Promise<never>(() => {});
const turns = async () => {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
};

describe('createDeliveryLimiter', () => {
  it('limits concurrency, and starts the next when one finishes', async () => {
    const through = createDeliveryLimiter(2, 60_000);
    const ends: (() => void)[] = [];
    let begun = 0;
    const all = Array.from({ length: 5 }, () =>
      through('a', () => {
        begun++;
        return new Promise<void>((resolve) => ends.push(resolve));
      }),
    );
    await turns();
    expect(begun).toBe(2);
    ends[0]!();
    await turns();
    expect(begun).toBe(3);
    for (let one = 1; one < 5; one++) {
      ends[one]!();
      await turns();
    }
    await Promise.all(all);
    expect(begun).toBe(5);
  });

  it('limits each key separately', async () => {
    const through = createDeliveryLimiter(1, 60_000);
    void through('a', never);
    expect(await through('b', async () => 'done')).toBe('done');
  });

  it('does not count long-running work', async () => {
    const through = createDeliveryLimiter(1, 5);
    void through('a', never);
    expect(await through('a', async () => 'done')).toBe('done');
  });

  it('continues after a failure', async () => {
    const through = createDeliveryLimiter(1, 60_000);
    const failing = through('a', async () => {
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await through('a', async () => 'done')).toBe('done');
  });
});

const cloud = createAddressRule('rejected');
const machine = createAddressRule('allowed');

describe('addresses of receivers', () => {
  it.each([
    '0.0.0.0',
    '10.0.0.1',
    '10.255.255.255',
    '100.64.0.1',
    '100.100.100.200',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
    '169.254.170.2',
    '168.63.129.16',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.192',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.51.100.7',
    '203.0.113.9',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:169.254.169.254',
    '::ffff:10.0.0.1',
    '::ffff:0:10.0.0.1',
    '64:ff9b::10.0.0.1',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b:1::1',
    '100::1',
    '2001::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '3fff::1',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    'not an address',
  ])('reject %s', (address) => {
    expect(cloud(address)).toEqual(expect.any(String));
  });

  it.each([
    '1.1.1.1',
    '8.8.8.8',
    '100.63.255.255',
    '100.128.0.1',
    '172.15.255.255',
    '172.32.0.1',
    '192.167.255.255',
    '198.20.0.1',
    '223.255.255.255',
    '2606:4700:4700::1111',
    '2a00:1450:4001:80e::200e',
    '::ffff:8.8.8.8',
    '64:ff9b::8.8.8.8',
  ])('allow %s', (address) => {
    expect(cloud(address)).toBeUndefined();
  });

  it.each(['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1'])('allow %s on one machine', (address) => {
    expect(machine(address)).toBeUndefined();
  });

  it.each(['169.254.169.254', '10.0.0.1', '0.0.0.0', 'fe80::1'])('reject %s on one machine, too', (address) => {
    expect(machine(address)).toEqual(expect.any(String));
  });
});

describe('addresses in the URL of a webhook', () => {
  it.each([
    'https://127.0.0.1/',
    'https://127.1/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0x7f.1/',
    'https://0177.0.0.1/',
    'https://017700000001/',
    'https://0/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[0:0:0:0:0:ffff:a9fe:a9fe]/',
    'https://169.254.169.254/latest/meta-data/',
    'https://10.1.2.3:8443/',
    'https://localhost/',
    'https://a.localhost/',
    'http://127.0.0.1/',
    'http://localhost:3000/',
    'https://１２７.0.0.1/',
  ])('reject %s', (url) => {
    expect(() => assertReceiver(url, cloud, 'rejected')).toThrow(/^url must be/);
  });

  it.each(['https://hooks.example.com/x', 'https://8.8.8.8/', undefined])('allow %s', (url) => {
    expect(() => assertReceiver(url, cloud, 'rejected')).not.toThrow();
  });

  it.each(['http://127.0.0.1:9/', 'http://localhost:9/', 'https://[::1]:9/'])('allow %s on one machine', (url) => {
    expect(() => assertReceiver(url, machine, 'allowed')).not.toThrow();
  });

  it('are parsed like the connection parses them', () => {
    expect(toHost(new URL('https://0x7f.1/'))).toBe('127.0.0.1');
    expect(toHost(new URL('https://[::ffff:127.0.0.1]/'))).toBe('::ffff:7f00:1');
  });
});
