import { hasRole, roles } from '../../contract/roles.ts';
import type { Caller } from '../platform/caller.ts';
import type { Item, ItemStore, Write } from '../records/item-store.ts';
import { keyOf, recordSortKey } from '../records/record-item.ts';
import type { Audience } from './notification.ts';

// What somebody follows and has read. A notification of a group is stored once, so reading it is noted for the reader.
//
// | Access pattern                   | Call    | Key                                                          |
// |----------------------------------|---------|--------------------------------------------------------------|
// | what somebody follows            | GetItem | pk = notification#reader#<address>, sk = #                    |
// | what somebody has read, one each | Query   | pk = notification#reader#<address>, sk = read#<id>            |

export interface Reader {
  groups: readonly string[];
  /** Everything up to this moment is read. */
  readUntil: string;
}

export const readPrefix = 'read#';

export function readerPartition(email: string): string {
  return `notification#reader#${email}`;
}

export async function findReader(store: Pick<ItemStore, 'get'>, email: string): Promise<Reader> {
  const item = await store.get(readerPartition(email), recordSortKey);
  return { groups: JSON.parse(item?.groups?.S ?? '[]'), readUntil: item?.read_until?.S ?? '' };
}

/** Whom notifications have to be for in order to be for the caller. */
export function audiencesOf({ email, roles: held }: Pick<Caller, 'email' | 'roles'>, { groups }: Reader): Audience[] {
  const names = new Set([...roles.filter((role) => hasRole(held, role)), ...groups]);
  return [{ kind: 'user', name: email }, ...[...names].map((name): Audience => ({ kind: 'group', name }))];
}

export function followWrite(email: string, groups: readonly string[]): Write {
  const update = {
    Key: keyOf(readerPartition(email), recordSortKey),
    UpdateExpression: 'SET #groups = :groups',
    ExpressionAttributeNames: { '#groups': 'groups' },
    ExpressionAttributeValues: { ':groups': { S: JSON.stringify(groups) } },
  };
  return { name: 'reader', update };
}

/** Refused when more was read already. */
export function readUntilWrite(email: string, until: string): Write {
  const update = {
    Key: keyOf(readerPartition(email), recordSortKey),
    UpdateExpression: 'SET read_until = :until',
    ConditionExpression: 'attribute_not_exists(read_until) OR read_until < :until',
    ExpressionAttributeValues: { ':until': { S: until } },
  };
  return { name: 'reader', update };
}

/** Kept as long as the notification itself. */
export function readWrite(email: string, id: string, expires_at: Item[string]): Write {
  return { name: 'read', put: { Item: { ...keyOf(readerPartition(email), `${readPrefix}${id}`), expires_at } } };
}
