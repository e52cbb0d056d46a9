// Page sizes and opaque page tokens for lists.
import { AwsError } from '../aws/error.ts';

const maxPageSize = 60;

export function parsePageSize(value: unknown, field: string): number {
  if (value === undefined || value === 0) return maxPageSize;
  if (typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= maxPageSize) return value;
  throw new AwsError(
    'InvalidParameterException',
    `1 validation error detected: Value '${String(value)}' at '${field}' failed to satisfy constraint: Member must have value less than or equal to ${maxPageSize}`,
  );
}

export function formatPageToken(position: string | number): string {
  return Buffer.from(JSON.stringify({ after: position })).toString('base64url');
}

export function parsePageToken(token: unknown): string | undefined {
  if (token === undefined) return undefined;
  try {
    return String(JSON.parse(Buffer.from(String(token), 'base64url').toString('utf8')).after);
  } catch {
    throw new AwsError('InvalidParameterException', 'Invalid pagination token.');
  }
}
