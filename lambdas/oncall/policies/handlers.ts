import { escalationPolicyOperations } from '../../../contract/escalation-policies.ts';
import { createKnownNames } from '../../identity/people-directory.ts';
import { listResource } from '../../lists/list-records.ts';
import { createListSource } from '../../lists/wiring.ts';
import { route } from '../../platform/http/route.ts';
import { createRecord, getRecord, listHistory } from '../../records/record-operations.ts';
import { createChanger, createCursorSeal, createRecordStore } from '../../records/wiring.ts';
import { createUnknownPeopleFinder } from '../known-people.ts';
import { createTargetResolver } from '../schedules/resolve-targets.ts';
import * as paging from './group-paging.ts';
import { createPolicyDraft, deletePolicy, type PolicyTools, updatePolicy } from './manage-policies.ts';
import { policyResource } from './policy.ts';
import { policyListing } from './policy-listing.ts';

export const listEscalationPolicies = () =>
  route(
    escalationPolicyOperations.listEscalationPolicies,
    listResource(createListSource(policyListing), policyListing, policyResource),
  );

export const createEscalationPolicy = () =>
  route(
    escalationPolicyOperations.createEscalationPolicy,
    createRecord('createEscalationPolicy', createRecordStore(), policyResource, createPolicyDraft(createPolicyTools())),
  );

export const getEscalationPolicy = () =>
  route(escalationPolicyOperations.getEscalationPolicy, getRecord(createRecordStore(), policyResource));

export const updateEscalationPolicy = () =>
  route(
    escalationPolicyOperations.updateEscalationPolicy,
    updatePolicy(createChanger(policyResource), createPolicyTools()),
  );

export const deleteEscalationPolicy = () =>
  route(
    escalationPolicyOperations.deleteEscalationPolicy,
    deletePolicy(createChanger(policyResource), createRecordStore()),
  );

export const listEscalationPolicyHistory = () =>
  route(
    escalationPolicyOperations.listEscalationPolicyHistory,
    listHistory(createRecordStore(), policyResource, createCursorSeal()),
  );

export const getAllGroupPaging = () =>
  route(escalationPolicyOperations.getAllGroupPaging, paging.getAllGroupPaging(createRecordStore()));

export const getGroupPaging = () =>
  route(escalationPolicyOperations.getGroupPaging, paging.getGroupPaging(createRecordStore()));

export const putGroupPaging = () =>
  route(
    escalationPolicyOperations.putGroupPaging,
    paging.putGroupPaging(createRecordStore(), createKnownNames().isGroupKnown),
  );

function createPolicyTools(): PolicyTools {
  return {
    store: createRecordStore(),
    findUnknownPeople: createUnknownPeopleFinder(),
    resolver: createTargetResolver(),
  };
}
