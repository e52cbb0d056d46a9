import { AllowedHosts } from '../../../local/allowed-hosts.ts';

const from = (headers: Record<string, string>, localAddress = '127.0.0.1') => ({ headers, socket: { localAddress } });

describe('AllowedHosts', () => {
  const hosts = new AllowedHosts(3000, ['Incidents.lan', 'proxy.lan:8443']);

  it.each([
    ['localhost:3000', true],
    ['LOCALHOST:3000', true],
    ['[::1]:3000', true],
    ['incidents.lan:3000', true],
    ['proxy.lan:8443', true],
    ['localhost', false],
    ['localhost:3001', false],
    ['proxy.lan:3000', false],
    ['localhost:3000.evil.example', false],
    ['evil.example:3000', false],
    ['', false],
  ])('%s: %s', (host, allowed) => {
    expect(hosts.allowsHost(from({ host }))).toBe(allowed);
  });

  it('allows only the address that the client connected to', () => {
    expect(hosts.allowsHost(from({ host: '192.168.1.5:3000' }, '::ffff:192.168.1.5'))).toBe(true);
    expect(hosts.allowsHost(from({ host: '[fe80::1]:3000' }, 'fe80::1'))).toBe(true);
    expect(hosts.allowsHost(from({ host: '192.168.1.6:3000' }, '192.168.1.5'))).toBe(false);
  });

  it('accepts a host without the default port', () => {
    expect(new AllowedHosts(80).allowsHost(from({ host: 'localhost' }))).toBe(true);
  });

  it.each([
    [undefined, true],
    ['http://localhost:3000', true],
    ['https://localhost:3000', false],
    ['http://localhost:5173', false],
    ['http://evil.example', false],
    ['null', false],
  ])('origin %s: %s', (origin, allowed) => {
    expect(hosts.allowsOrigin(from(origin === undefined ? {} : { origin }))).toBe(allowed);
  });
});
