// The token of a Task that waits for its result. It names the position, the visit and the attempt, so it is the same when
// the message is sent again after a crash, and invalid as soon as the position has changed.
import { AwsError } from '../aws/error.ts';
import type { Position } from './execution-store.ts';

export interface TaskToken {
  text: string;
  execution: string;
  iteration: number;
}

export function formatToken({ execution, iteration, state, attempts, entered }: Position): string {
  const visit = entered === undefined ? [] : [entered];
  return Buffer.from(JSON.stringify([execution, iteration, state, attempts, ...visit])).toString('base64url');
}

export function parseToken(text: unknown): TaskToken {
  try {
    const [execution, iteration] = JSON.parse(Buffer.from(String(text), 'base64url').toString());
    if (typeof execution === 'string' && typeof iteration === 'number')
      return { text: String(text), execution, iteration };
  } catch {
    // Rejected below.
  }
  throw new AwsError('InvalidToken', "Invalid Token: 'Invalid token'");
}
