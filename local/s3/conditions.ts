import { AwsError } from '../aws/error.ts';
import type { AwsHttpRequest } from '../aws/service.ts';
import type { ObjectHeader } from './object-store.ts';

export interface ByteRange {
  start: number;
  /** The byte behind the last one. */
  end: number;
}

/** Undefined for the whole object; a range in a unit or form that S3 does not know is ignored, as S3 does. */
export function requestedRange(range: string | undefined, size: number): ByteRange | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(range ?? '');
  if (!match || (match[1] === '' && match[2] === '')) return undefined;
  const [first, last] = [match[1]!, match[2]!];
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size : Math.min(size, Number(last) + 1);
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined;
  if (start >= size || (first === '' && Number(last) === 0)) {
    throw new AwsError('InvalidRange', 'The requested range is not satisfiable', {
      status: 416,
      headers: { 'content-range': `bytes */${size}` },
    });
  }
  return { start, end };
}

/** Throws 304 or 412 when the caller wants the object only in another state. */
export function checkReadConditions({ headers }: Pick<AwsHttpRequest, 'headers'>, { etag }: ObjectHeader): void {
  if (headers['if-match'] !== undefined && !names(headers['if-match'], etag)) throw preconditionFailed('If-Match');
  if (headers['if-none-match'] !== undefined && names(headers['if-none-match'], etag)) {
    throw new AwsError('NotModified', 'Not Modified', { status: 304, headers: { etag: `"${etag}"` } });
  }
}

export function checkWriteConditions(
  { headers }: Pick<AwsHttpRequest, 'headers'>,
  existing: ObjectHeader | undefined,
): void {
  if (headers['if-none-match'] !== undefined && existing) throw preconditionFailed('If-None-Match');
  if (headers['if-match'] === undefined) return;
  if (!existing) throw new AwsError('NoSuchKey', 'The specified key does not exist.', { status: 404 });
  if (!names(headers['if-match'], existing.etag)) throw preconditionFailed('If-Match');
}

function names(given: string, etag: string): boolean {
  return given.split(',').some((each) => ['*', etag, `"${etag}"`].includes(each.trim()));
}

function preconditionFailed(condition: string): AwsError {
  return new AwsError('PreconditionFailed', 'At least one of the pre-conditions you specified did not hold', {
    status: 412,
    fields: { Condition: condition },
  });
}
