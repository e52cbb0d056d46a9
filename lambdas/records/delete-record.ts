import type { Caller } from '../platform/caller.ts';
import type { Changer } from './change-record.ts';
import { apiAuthor } from './record.ts';

interface DeleteInput {
  params: { id: string };
  headers: { 'If-Match'?: string | undefined };
}

/** The use case behind every deletion: the record stays for audit, with the state it had. */
export function deleteRecord<Document>(change: Changer<Document>) {
  return async ({ params, headers }: DeleteInput, { caller }: { caller: Caller }) => {
    await change({
      id: params.id,
      author: apiAuthor(caller),
      ifMatch: headers['If-Match'],
      apply: ({ document }) => ({ document, deleted: true }),
    });
    return { status: 204 as const };
  };
}
