import { isIP } from 'node:net';
import { ServiceError } from '../platform/service-error.ts';
import { type AddressRule, hostOf, isLoopback, type LoopbackRule } from './receiver-address.ts';

/** Refuses an address that deliveries would refuse anyway, as far as that can be told without asking anybody. */
export function assertReceiver(url: string | undefined, rule: AddressRule, loopback: LoopbackRule): void {
  if (url === undefined) return;
  const parsed = new URL(url);
  const host = hostOf(parsed);
  const named = host === 'localhost' || host.endsWith('.localhost');
  if (loopback === 'refused' && (parsed.protocol === 'http:' || named)) throw refused('must be a public https address');
  if (isIP(host) !== 0 && rule(host)) throw refused('must be a public address');
  if (parsed.protocol === 'http:' && !named && !isLoopback(host)) throw refused('must be an https address');
}

function refused(message: string): ServiceError {
  return new ServiceError('invalid_input', `url ${message}.`, { members: { errors: [{ field: 'url', message }] } });
}
