import { ServiceError } from '../platform/service-error.ts';
import type { Change, Changer } from '../records/change-record.ts';
import type { ItemStore } from '../records/item-store.ts';
import type { StoredRecord } from '../records/record.ts';
import { toItemKey } from '../records/record-item.ts';
import { deleteRecord } from '../records/record-operations.ts';
import type { Write } from '../records/write-items.ts';

// A record that others use has an item with the set of its users: policies of a schedule, groups of a policy. A user adds
// itself in the transaction that stores the reference, and the deletion fails while the set exists, so that no reference
// to a deleted record can arise.
//
// | Access pattern        | Call                        | Key                              |
// |-----------------------|-----------------------------|----------------------------------|
// | the users of a record | GetItem, TransactWriteItems | pk = record id, sk = used-by     |

const sortKey = 'used-by';

export interface References {
  /** What refers to the records: the id of a policy or the name of a group. */
  user: string;
  before: readonly string[];
  after: readonly string[];
}

/** Writes named `reference` fail when the record was deleted. */
export function buildReferenceWrites({ user, before, after }: References): Write[] {
  const added = after.filter((id) => !before.includes(id)).map((id) => toWrite('reference', 'ADD', id, user));
  const removed = before
    .filter((id) => !after.includes(id))
    .map((id) => toWrite('former reference', 'DELETE', id, user));
  return [...added, ...removed];
}

function toWrite(name: string, action: 'ADD' | 'DELETE', id: string, user: string): Write {
  const update = {
    Key: toItemKey(id, sortKey),
    UpdateExpression: `${action} #users :user`,
    ConditionExpression: 'attribute_not_exists(retired)',
    ExpressionAttributeNames: { '#users': 'users' },
    ExpressionAttributeValues: { ':user': { SS: [user] } },
  };
  return { name, update };
}

/** The write named `retirement` fails while the record has users. DynamoDB removes an empty set. */
export function buildRetirement(id: string): Write {
  const update = {
    Key: toItemKey(id, sortKey),
    UpdateExpression: 'SET retired = :true',
    ConditionExpression: 'attribute_not_exists(#users)',
    ExpressionAttributeNames: { '#users': 'users' },
    ExpressionAttributeValues: { ':true': { BOOL: true } },
  };
  return { name: 'retirement', update };
}

interface UserNames {
  /** What uses the record, in the plural. */
  users: string;
  name(users: readonly string[]): Promise<{ id: string; name: string }[]>;
}

/** Deletes a record that nothing uses. `apply` adds the retirement. */
export function deleteUnused<Document>(
  change: Changer<Document>,
  store: Pick<ItemStore, 'get'>,
  apply: (before: StoredRecord<Document>) => Change<Document>,
  { users, name }: UserNames,
) {
  const remove = deleteRecord(change, apply, () => {
    throw new ServiceError('in_use', `Some ${users} use the record.`);
  });
  return async (input: Parameters<typeof remove>[0], context: Parameters<typeof remove>[1]) => {
    const { id } = input.params;
    const item = await store.get(id, sortKey);
    const known = [...(item?.users?.SS ?? [])].sort();
    if (known.length > 0) throw createInUseError(id, `${known.length} ${users}`, await name(known));
    return remove(input, context);
  };
}

export function createInUseError(id: string, users: string, used_by: readonly { id: string; name: string }[]) {
  const names = used_by.map((user) => (user.id === user.name ? user.name : `${user.name} (${user.id})`)).join(', ');
  return new ServiceError('in_use', `${users} use ${id}: ${names}.`, { members: { used_by } });
}
