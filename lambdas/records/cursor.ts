import { createHmac, timingSafeEqual } from 'node:crypto';
import { invalidField, type ServiceError } from '../platform/service-error.ts';

// A cursor says where the next page starts. It is sealed together with the list it belongs to (the route, its filters,
// sort and order), so one that was altered, or that comes from another list, is refused instead of answering nonsense.

export interface CursorSeal {
  seal(list: string, position: string): string;
  /** The position in it; refuses a cursor of another list. */
  open(list: string, cursor: string): string;
}

export function cursorSeal(key: string): CursorSeal {
  const sign = (list: string, position: string) =>
    createHmac('sha256', key).update(`${list.length}:${list}${position}`).digest().subarray(0, sealBytes);
  return {
    seal: (list, position) => Buffer.concat([sign(list, position), Buffer.from(position)]).toString('base64url'),
    open(list, cursor) {
      const bytes = Buffer.from(cursor, 'base64url');
      const position = bytes.subarray(sealBytes).toString();
      const genuine =
        bytes.byteLength > sealBytes &&
        bytes.toString('base64url') === cursor &&
        timingSafeEqual(bytes.subarray(0, sealBytes), sign(list, position));
      if (!genuine) throw foreignCursor();
      return position;
    },
  };
}

const sealBytes = 16;

function foreignCursor(): ServiceError {
  return invalidField('cursor', 'is not a valid cursor for these filters, sort and order');
}
