import type { EscalationTarget } from '../../../contract/escalation-policies.ts';
import { createPeopleDirectory } from '../../identity/people-directory.ts';
import { listFollowers } from '../../notifications/inbox.ts';
import { cognitoClient } from '../../platform/clients/cognito.ts';
import { env } from '../../platform/env.ts';
import type { ItemStore } from '../../records/item-store.ts';
import { recordSortKey, toRecord } from '../../records/record-item.ts';
import { createRecordStore } from '../../records/wiring.ts';
import type { ScheduleDocument } from './schedule.ts';
import { findOnCall } from './shifts.ts';

// Finds the people behind the targets of an escalation step. A group is everybody in the user pool's group of that name
// and everybody who follows the group (docs/decisions/0120-on-call-schedules.md).

export interface ResolvedPerson {
  /** Email address in lower case. */
  person: string;
  /** The target in words, such as the name of the schedule. */
  via: string;
}

export interface TargetResolver {
  /** Each person once, through the first target that names the person. A deleted schedule resolves to nobody. */
  resolve(targets: readonly EscalationTarget[], atMs: number): Promise<ResolvedPerson[]>;
}

export function createTargetResolver(): TargetResolver {
  const { USER_POOL_ID } = env('USER_POOL_ID');
  const { listMembers } = createPeopleDirectory(cognitoClient(), USER_POOL_ID);
  return toTargetResolver(createRecordStore(), listMembers);
}

export function toTargetResolver(
  store: Pick<ItemStore, 'get' | 'range'>,
  listMembers: (group: string) => Promise<readonly string[]>,
): TargetResolver {
  const resolvers: Record<EscalationTarget['type'], (id: string, atMs: number) => Promise<ResolvedPerson[]>> = {
    person: async (person) => [{ person, via: 'directly' }],
    async schedule(id, atMs) {
      const item = await store.get(id, recordSortKey);
      const record = item && toRecord<ScheduleDocument>(item);
      if (!record || record.deleted) return [];
      const person = findOnCall(record.document, atMs);
      return person === null ? [] : [{ person, via: `schedule ${record.document.name}` }];
    },
    async group(name, atMs) {
      const people = await Promise.all([listMembers(name), listFollowers(store, name, atMs)]);
      return people.flat().map((person) => ({ person, via: `group ${name}` }));
    },
  };
  return {
    async resolve(targets, atMs) {
      const found = await Promise.all(targets.map(({ type, id }) => resolvers[type](id, atMs)));
      const byPerson = new Map<string, ResolvedPerson>();
      for (const { person, via } of found.flat()) {
        const address = person.toLowerCase();
        if (!byPerson.has(address)) byPerson.set(address, { person: address, via });
      }
      return [...byPerson.values()];
    },
  };
}
