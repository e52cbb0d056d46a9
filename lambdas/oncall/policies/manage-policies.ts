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
import { type Author, createFirstVersion, toApiAuthor, toRecordResponse } from '../../records/record.ts';
import { buildInsert, recordSortKey, toRecord } from '../../records/record-item.ts';
import type { NewRecord } from '../../records/record-operations.ts';
import type { FindUnknownPeople } from '../known-people.ts';
import { buildReferenceWrites, buildRetirement, listUsers } from '../references.ts';
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
  return async ({ params: { id }, headers, body }, { caller, clock }) => {
    assertNoProblems(await findStepProblems(body.steps ?? [], tools, clock.now()));
    const record = await change({
      id,
      author: toApiAuthor(caller),
      ifMatch: headers['If-Match'],
      apply: ({ document }) => applyPolicyPatch(id, document, body),
      onConditionFailed: () => {
        throw new ServiceError('invalid_input', 'A schedule of the policy was deleted.');
      },
    });
    return { status: 200, ...toRecordResponse(policyResource, record) };
  };
}

function applyPolicyPatch(id: string, before: PolicyDocument, patch: EscalationPolicyPatch) {
  const document = applyPatch(before, patch as Partial<PolicyDocument>);
  const references = { user: id, before: listScheduleIds(before.steps), after: listScheduleIds(document.steps) };
  return { document, additionalWrites: buildReferenceWrites(references) };
}

export function deletePolicy(
  change: Changer<PolicyDocument>,
  store: Pick<ItemStore, 'get'>,
): UseCase<typeof routes.deleteEscalationPolicy> {
  return async ({ params: { id }, headers }, { caller }) => {
    const groups = await listUsers(store, id);
    if (groups.length > 0) {
      const members = { used_by: groups.map((name) => ({ id: name, name })) };
      throw new ServiceError('in_use', `${groups.length} groups use ${id}: ${groups.join(', ')}.`, { members });
    }
    await change({
      id,
      author: toApiAuthor(caller),
      ifMatch: headers['If-Match'],
      apply: ({ document }) => ({
        document,
        deleted: true,
        additionalWrites: [
          buildRetirement(id),
          ...buildReferenceWrites({ user: id, before: listScheduleIds(document.steps), after: [] }),
        ],
      }),
      onConditionFailed: () => {
        throw new ServiceError('in_use', `A group uses ${id}.`);
      },
    });
    return { status: 204 };
  };
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
