import { defaultPagingPriorities, type GroupPaging } from '../../../contract/escalation-policies.ts';
import { type ItemStore, readString } from '../../records/item-store.ts';

// The paging settings of assignment groups.
//
// | Access pattern          | Call    | Key                                         |
// |-------------------------|---------|---------------------------------------------|
// | settings of one group   | GetItem | pk = group-paging, sk = group#<name>        |
// | settings of all groups  | Query   | pk = group-paging, sk begins with group#    |

const partition = 'group-paging';

const prefix = 'group#';

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
