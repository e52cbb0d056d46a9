import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { BulkRequest } from '../../contract/bulk-requests.ts';
import { ServiceError } from '../platform/service-error.ts';

// What a job has to do, as it was asked for. A request may have 1 MB and an item 400 KB, so it is packed and, where that
// is not enough, cut into pieces that are stored one by one in the same transaction.

const pieceBytes = 300_000;

/** A transaction takes 4 MB. Packing never doubles a request, so only numbers like 1e300 by the thousand get here. */
const mostPieces = 10;

export function packSource(request: BulkRequest): Uint8Array[] {
  const packed = deflateRawSync(JSON.stringify(request));
  const pieces = Array.from({ length: Math.ceil(packed.byteLength / pieceBytes) }, (_, index) =>
    packed.subarray(index * pieceBytes, (index + 1) * pieceBytes),
  );
  if (pieces.length <= mostPieces) return pieces;
  throw new ServiceError('payload_too_large', 'The records are too large for one job. Send them in several requests.');
}

export function unpackSource(pieces: readonly Uint8Array[]): BulkRequest {
  return JSON.parse(inflateRawSync(Buffer.concat(pieces), { maxOutputLength: mostBytes }).toString());
}

const mostBytes = 64 * 1024 * 1024;
