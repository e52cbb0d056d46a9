import { maximumPayloadBytes } from '../../contract/inbound-events.ts';
import { assertJsonSize, parseJson } from '../platform/http/parse-json.ts';

export function assertSize(body: Buffer): void {
  assertJsonSize(body, maximumPayloadBytes);
}

export function parsePayload(body: Buffer): unknown {
  return parseJson(body, maximumPayloadBytes);
}
