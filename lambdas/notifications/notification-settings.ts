import type { routes } from '../../contract/routes.ts';
import type { UseCase } from '../platform/http/answer.ts';
import { type ItemStore, written } from '../records/item-store.ts';
import { findReader, followWrite } from './reader.ts';

export function getNotificationSettings(store: Pick<ItemStore, 'get'>): UseCase<typeof routes.getNotificationSettings> {
  return async (_input, { caller }) => {
    const { groups } = await findReader(store, caller.email);
    return { status: 200, body: { groups: [...groups] } };
  };
}

export function updateNotificationSettings(
  store: Pick<ItemStore, 'transact'>,
): UseCase<typeof routes.updateNotificationSettings> {
  return async ({ body }, { caller }) => {
    await written(store, [followWrite(caller.email, body.groups)]);
    return { status: 200, body };
  };
}
