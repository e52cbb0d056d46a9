import type { routes } from '../../../contract/routes.ts';
import type { ScheduleCreation, ScheduleLayer, SchedulePatch } from '../../../contract/schedules.ts';
import type { UseCase } from '../../platform/http/response.ts';
import { assertNoProblems } from '../../platform/service-error.ts';
import { applyPatch, type Changer } from '../../records/change-record.ts';
import type { ItemStore } from '../../records/item-store.ts';
import type { Author, StoredRecord } from '../../records/record.ts';
import { recordSortKey, toRecord } from '../../records/record-item.ts';
import { draftRecord, type NewRecord, updateRecord } from '../../records/record-operations.ts';
import type { FindUnknownPeople, NamedPerson } from '../known-people.ts';
import type { PolicyDocument } from '../policies/policy.ts';
import { buildRetirement, deleteUnused } from '../references.ts';
import { type ScheduleDocument, scheduleResource } from './schedule.ts';

export function createScheduleDraft(findUnknownPeople: FindUnknownPeople) {
  return async (creation: ScheduleCreation, author: Author, nowMs: number): Promise<NewRecord<ScheduleDocument>> => {
    assertNoProblems(await findUnknownPeople(listNamedPeople(creation.layers)));
    const document = { ...creation, calendar_key_created_at: null, calendar_key_hash: null, overrides: [] };
    return draftRecord(scheduleResource, 'schedule', document, author, nowMs);
  };
}

export function updateSchedule(
  change: Changer<ScheduleDocument>,
  findUnknownPeople: FindUnknownPeople,
): UseCase<typeof routes.updateSchedule> {
  const update = updateRecord(change, scheduleResource, ({ document }, patch: SchedulePatch) => ({
    document: applyPatch(document, patch as Partial<ScheduleDocument>),
  }));
  return async (input, context) => {
    assertNoProblems(await findUnknownPeople(listNamedPeople(input.body.layers ?? [])));
    return update(input, context);
  };
}

/** The calendar feed ends with the schedule. */
export function deleteSchedule(
  change: Changer<ScheduleDocument>,
  store: Pick<ItemStore, 'get'>,
): UseCase<typeof routes.deleteSchedule> {
  const remove = ({ id, document }: StoredRecord<ScheduleDocument>) => ({
    document: { ...document, calendar_key_hash: null, calendar_key_created_at: null },
    additionalWrites: [buildRetirement(id)],
  });
  const name = async (users: readonly string[]) => {
    const items = await Promise.all(users.slice(0, maxNamedUsers).map((user) => store.get(user, recordSortKey)));
    const policies = items.flatMap((item) => (item ? [toRecord<PolicyDocument>(item)] : []));
    return policies.map((policy) => ({ id: policy.id, name: policy.document.name }));
  };
  return deleteUnused(change, store, remove, { users: 'escalation policies', name });
}

const maxNamedUsers = 20;

function listNamedPeople(layers: readonly Pick<ScheduleLayer, 'people'>[]): NamedPerson[] {
  return layers.flatMap(({ people }, layer) =>
    people.map((person, place) => ({ field: `layers[${layer}].people[${place}]`, person })),
  );
}
