import type { routes } from '../../contract/routes.ts';
import type { UseCase } from '../platform/http/answer.ts';
import type { Changer } from '../records/change-record.ts';
import type { ItemStore } from '../records/item-store.ts';
import { apiAuthor } from '../records/record.ts';
import { recordAnswer } from '../records/resource.ts';
import { changeCi } from './change-ci.ts';
import { type CiDocument, ciType } from './ci.ts';

export function updateCi(store: Pick<ItemStore, 'get'>, change: Changer<CiDocument>): UseCase<typeof routes.updateCi> {
  return async ({ params, headers, body }, { caller }) => {
    const author = apiAuthor(caller);
    const record = await changeCi(store, change, { id: params.id, author, ifMatch: headers['If-Match'], patch: body });
    return { status: 200, ...recordAnswer(ciType, record) };
  };
}
