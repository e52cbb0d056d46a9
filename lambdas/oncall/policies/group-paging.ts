import { defaultPagingPriorities, type GroupPaging } from '../../../contract/escalation-policies.ts';
import type { routes } from '../../../contract/routes.ts';
import { toIso } from '../../platform/clock.ts';
import type { UseCase } from '../../platform/http/response.ts';
import { retry } from '../../platform/retry.ts';
import { invalidField, ServiceError } from '../../platform/service-error.ts';
import type { ItemStore } from '../../records/item-store.ts';
import { readString } from '../../records/items.ts';
import { recordSortKey, toItemKey, toRecord } from '../../records/record-item.ts';
import type { Write } from '../../records/write-items.ts';
import { buildReferenceWrites } from '../references.ts';

// The paging settings of assignment groups.
//
// | Access pattern          | Call                        | Key                                         |
// |-------------------------|-----------------------------|---------------------------------------------|
// | settings of one group   | GetItem, TransactWriteItems | pk = group-paging, sk = group#<name>        |
// | settings of all groups  | Query                       | pk = group-paging, sk begins with group#    |

const partition = 'group-paging';

const prefix = 'group#';

const maxGroups = 2_000;

/** Without settings, incidents of the group page nobody. */
export async function findGroupPaging(store: Pick<ItemStore, 'get'>, group: string): Promise<GroupPaging> {
  const item = await store.get(partition, `${prefix}${group}`);
  if (item) return JSON.parse(readString(item, 'document'));
  return {
    group,
    escalation_policy_id: null,
    priorities: [...defaultPagingPriorities],
    updated_by: null,
    updated_at: null,
  };
}

export function getAllGroupPaging(store: Pick<ItemStore, 'range'>): UseCase<typeof routes.getAllGroupPaging> {
  return async () => {
    const items = await store.range({ pk: partition, prefix }, maxGroups);
    return { status: 200, body: { groups: items.map((item) => JSON.parse(readString(item, 'document'))) } };
  };
}

export function getGroupPaging(store: Pick<ItemStore, 'get'>): UseCase<typeof routes.getGroupPaging> {
  return async ({ params: { name } }) => ({ status: 200, body: await findGroupPaging(store, name) });
}

/** The group and its mark at the policy change together, so a policy in use cannot be deleted. */
export function putGroupPaging(
  store: Pick<ItemStore, 'get' | 'transact'>,
  isGroupKnown: (name: string) => Promise<boolean>,
): UseCase<typeof routes.putGroupPaging> {
  return async ({ params: { name: group }, body }, { caller, clock }) => {
    const isKnown = isGroupKnown(group);
    const after: GroupPaging = { group, ...body, updated_by: caller.email, updated_at: toIso(clock.now()) };
    await retry(
      async () => {
        if (!(await isPolicy(store, after.escalation_policy_id))) {
          throw invalidField('escalation_policy_id', 'names a policy that does not exist or is deleted');
        }
        const before = await findGroupPaging(store, group);
        const outcome = await store.transact(buildPagingWrites(before, after));
        return outcome.kind === 'written' ? true : undefined;
      },
      { exhausted: () => new ServiceError('unavailable', 'Too many concurrent updates of the group. Try again.') },
    );
    if (await isKnown) return { status: 200, body: after };
    const warnings = [{ field: 'name', message: 'is not in the directory' }];
    return { status: 200, headers: { 'X-Warnings': JSON.stringify(warnings) }, body: after };
  };
}

async function isPolicy(store: Pick<ItemStore, 'get'>, id: string | null): Promise<boolean> {
  if (id === null) return true;
  const item = await store.get(id, recordSortKey);
  return item !== undefined && !toRecord(item).deleted;
}

/** Fails when the settings have changed or the policy was deleted. */
function buildPagingWrites(before: GroupPaging, after: GroupPaging): Write[] {
  const put = {
    Item: { ...toItemKey(partition, `${prefix}${after.group}`), document: { S: JSON.stringify(after) } },
    ...(before.updated_at === null
      ? { ConditionExpression: 'attribute_not_exists(pk)' }
      : {
          ConditionExpression: '#document = :before',
          ExpressionAttributeNames: { '#document': 'document' },
          ExpressionAttributeValues: { ':before': { S: JSON.stringify(before) } },
        }),
  };
  const toIds = ({ escalation_policy_id: id }: GroupPaging) => (id === null ? [] : [id]);
  const references = { user: after.group, before: toIds(before), after: toIds(after) };
  return [{ name: 'paging', put }, ...buildReferenceWrites(references)];
}
