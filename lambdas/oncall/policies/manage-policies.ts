import type { FieldProblem } from '../../../contract/errors.ts';
import {
  type EscalationPolicyCreation,
  type EscalationPolicyPatch,
  type EscalationStep,
  listScheduleIds,
} from '../../../contract/escalation-policies.ts';
import type { routes } from '../../../contract/routes.ts';
import type { UseCase } from '../../platform/http/response.ts';
import { newId } from '../../platform/ids.ts';
import { assertNoProblems, ServiceError } from '../../platform/service-error.ts';
import { applyPatch, type Changer } from '../../records/change-record.ts';
import type { ItemStore } from '../../records/item-store.ts';
import { type Author, createFirstVersion, type StoredRecord } from '../../records/record.ts';
import { buildInsert, recordSortKey, toRecord } from '../../records/record-item.ts';
import { type NewRecord, updateRecord } from '../../records/record-operations.ts';
import type { FindUnknownPeople } from '../known-people.ts';
import { buildReferenceWrites, buildRetirement, deleteUnused } from '../references.ts';
import type { TargetResolver } from '../schedules/resolve-targets.ts';
import { type PolicyDocument, policyResource } from './policy.ts';

export interface PolicyTools {
  store: Pick<ItemStore, 'get'>;
  findUnknownPeople: FindUnknownPeople;
  resolver: TargetResolver;
}

export function createPolicyDraft(tools: PolicyTools) {
  return async (
    creation: EscalationPolicyCreation,
    author: Author,
    nowMs: number,
  ): Promise<NewRecord<PolicyDocument>> => {
    assertNoProblems(await findStepProblems(creation.steps, tools, nowMs));
    const record = createFirstVersion<PolicyDocument>(newId('escalationPolicy'), creation, nowMs);
    const references = { user: record.id, before: [], after: listScheduleIds(creation.steps) };
    // A schedule that is deleted meanwhile fails the write; the next attempt reports it.
    return { record, writes: [...buildInsert(policyResource, record, author), ...buildReferenceWrites(references)] };
  };
}

export function updatePolicy(
  change: Changer<PolicyDocument>,
  tools: PolicyTools,
): UseCase<typeof routes.updateEscalationPolicy> {
  const update = updateRecord(change, policyResource, applyPolicyPatch, () => {
    throw new ServiceError('invalid_input', 'A schedule of the policy was deleted.');
  });
  return async (input, context) => {
    assertNoProblems(await findStepProblems(input.body.steps ?? [], tools, context.clock.now()));
    return update(input, context);
  };
}

function applyPolicyPatch({ id, document: before }: StoredRecord<PolicyDocument>, patch: EscalationPolicyPatch) {
  const document = applyPatch(before, patch as Partial<PolicyDocument>);
  const references = { user: id, before: listScheduleIds(before.steps), after: listScheduleIds(document.steps) };
  return { document, additionalWrites: buildReferenceWrites(references) };
}

export function deletePolicy(
  change: Changer<PolicyDocument>,
  store: Pick<ItemStore, 'get'>,
): UseCase<typeof routes.deleteEscalationPolicy> {
  const remove = ({ id, document }: StoredRecord<PolicyDocument>) => {
    const references = { user: id, before: listScheduleIds(document.steps), after: [] };
    return { document, additionalWrites: [buildRetirement(id), ...buildReferenceWrites(references)] };
  };
  return deleteUnused(change, store, remove, {
    users: 'groups',
    name: async (groups) => groups.map((name) => ({ id: name, name })),
  });
}

/** Every target that can never page anybody. */
async function findStepProblems(
  steps: readonly EscalationStep[],
  { store, findUnknownPeople, resolver }: PolicyTools,
  nowMs: number,
): Promise<FieldProblem[]> {
  const targets = steps.flatMap((step, place) =>
    step.targets.map((target, position) => ({ target, field: `steps[${place}].targets[${position}].id` })),
  );
  const people = targets.filter(({ target }) => target.type === 'person');
  const others = targets.filter(({ target }) => target.type !== 'person');
  const problems = await Promise.all([
    findUnknownPeople(people.map(({ target, field }) => ({ field, person: target.id }))),
    ...others.map(async ({ target, field }): Promise<FieldProblem[]> => {
      if (target.type === 'schedule') {
        const item = await store.get(target.id, recordSortKey);
        const exists = item !== undefined && !toRecord(item).deleted;
        return exists ? [] : [{ field, message: `names ${target.id}, which does not exist or is deleted` }];
      }
      const members = await resolver.resolve([target], nowMs);
      return members.length > 0 ? [] : [{ field, message: `names the group ${target.id}, which has no members` }];
    }),
  ]);
  return problems.flat();
}
