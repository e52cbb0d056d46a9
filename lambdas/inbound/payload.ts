import { maximumPayloadBytes } from '../../contract/inbound-events.ts';
import { ServiceError } from '../platform/service-error.ts';

/** Deeper than any sender's, and shallow enough for every program that walks through it. */
const deepest = 100;

export function assertSize(body: Buffer): void {
  if (body.byteLength <= maximumPayloadBytes) return;
  throw new ServiceError('payload_too_large', `The body may have at most ${maximumPayloadBytes} bytes.`);
}

export function parsePayload(body: Buffer): unknown {
  const payload = parse(body);
  if (!isDeeper(payload, deepest)) return payload;
  throw new ServiceError('invalid_input', `The body may be nested at most ${deepest} levels deep.`, {
    members: { errors: [{ field: 'body', message: `must be nested at most ${deepest} levels deep` }] },
  });
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch (error) {
    const detail = body.byteLength === 0 ? 'The body is empty.' : 'The body is not well-formed JSON.';
    throw new ServiceError('malformed_json', detail, { cause: error });
  }
}

/** Level by level, so that depth costs no stack. */
function isDeeper(payload: unknown, levels: number): boolean {
  let level = [payload];
  for (let depth = 0; depth <= levels; depth++) {
    level = level.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []));
    if (level.length === 0) return false;
  }
  return true;
}
