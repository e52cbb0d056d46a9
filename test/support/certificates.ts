// Self-signed certificates, because Node can only read them.
import { createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';

export interface Certificate {
  privateKey: KeyObject;
  pem: string;
}

export function createCertificate(name: string, validFrom: Date, validTo: Date): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const sha256WithRsa = sequence(encode(0x06, Buffer.from('2a864886f70d01010b', 'hex')), encode(0x05, Buffer.alloc(0)));
  const commonName = sequence(encode(0x06, Buffer.from('550403', 'hex')), encode(0x0c, Buffer.from(name)));
  const subject = sequence(encode(0x31, commonName));
  const toTime = (date: Date) => encode(0x18, Buffer.from(date.toISOString().replaceAll(/[-:T]|\.\d+/g, '')));
  const content = sequence(
    encode(0x02, Buffer.from([1])),
    sha256WithRsa,
    subject,
    sequence(toTime(validFrom), toTime(validTo)),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
  );
  const signature = createSign('RSA-SHA256').update(content).sign(privateKey);
  const certificate = sequence(content, sha256WithRsa, encode(0x03, Buffer.concat([Buffer.from([0]), signature])));
  const lines = certificate.toString('base64').replaceAll(/.{64}/g, '$&\n');
  return { privateKey, pem: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n` };
}

function sequence(...parts: Buffer[]): Buffer {
  return encode(0x30, Buffer.concat(parts));
}

/** DER: tag, length, content. */
function encode(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
