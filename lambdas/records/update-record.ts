import type { Caller } from '../platform/caller.ts';
import type { Change, Changer } from './change-record.ts';
import { apiAuthor, type StoredRecord } from './record.ts';
import { type Resource, recordAnswer } from './resource.ts';

interface UpdateInput<Body> {
  params: { id: string };
  headers: { 'If-Match'?: string | undefined };
  body: Body;
}

/** The use case behind every operation that changes one record. `apply` is what the request makes of the record. */
export function updateRecord<Document, Shown, Body>(
  change: Changer<Document>,
  resource: Pick<Resource<Document, Shown>, 'show'>,
  apply: (before: StoredRecord<Document>, body: Body, caller: Caller, nowMs: number) => Change<Document>,
) {
  return async ({ params, headers, body }: UpdateInput<Body>, { caller }: { caller: Caller }) => {
    const record = await change({
      id: params.id,
      author: apiAuthor(caller),
      ifMatch: headers['If-Match'],
      apply: (before, nowMs) => apply(before, body, caller, nowMs),
    });
    return { status: 200 as const, ...recordAnswer(resource, record) };
  };
}
