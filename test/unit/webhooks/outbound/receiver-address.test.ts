import { assertReceiver } from '../../../../lambdas/webhooks/outbound/manage-webhooks.ts';
import { createAddressRule, toHost } from '../../../../lambdas/webhooks/outbound/receiver.ts';

const cloud = createAddressRule('refused');
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
    expect(() => assertReceiver(url, cloud, 'refused')).toThrow(/^url must be/);
  });

  it.each(['https://hooks.example.com/x', 'https://8.8.8.8/', undefined])('allow %s', (url) => {
    expect(() => assertReceiver(url, cloud, 'refused')).not.toThrow();
  });

  it.each(['http://127.0.0.1:9/', 'http://localhost:9/', 'https://[::1]:9/'])('allow %s on one machine', (url) => {
    expect(() => assertReceiver(url, machine, 'allowed')).not.toThrow();
  });

  it('are parsed like the connection parses them', () => {
    expect(toHost(new URL('https://0x7f.1/'))).toBe('127.0.0.1');
    expect(toHost(new URL('https://[::ffff:127.0.0.1]/'))).toBe('::ffff:7f00:1');
  });
});
