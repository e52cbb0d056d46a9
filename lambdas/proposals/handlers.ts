import { proposalOperations } from '../../contract/proposals.ts';
import { decide } from '../approvals/approval.ts';
import { createWork } from '../jobs/work.ts';
import { listResource } from '../lists/list-records.ts';
import { createListSource } from '../lists/wiring.ts';
import { route } from '../platform/http/route.ts';
import { createRecord, getRecord, listHistory } from '../records/record-operations.ts';
import { createChanger, createCursorSeal, createRecordStore } from '../records/wiring.ts';
import { approveProposal as approve } from './apply-proposal.ts';
import { createProposalDraft, proposalResource, proposalRules } from './proposal.ts';
import { proposalListing } from './proposal-listing.ts';

export const listProposals = () =>
  route(
    proposalOperations.listProposals,
    listResource(createListSource(proposalListing), proposalListing, proposalResource),
  );

export const createProposal = () => {
  const store = createRecordStore();
  return route(
    proposalOperations.createProposal,
    createRecord('createProposal', store, proposalResource, createProposalDraft(store)),
  );
};

export const getProposal = () =>
  route(proposalOperations.getProposal, getRecord(createRecordStore(), proposalResource));

export const approveProposal = () => {
  const store = createRecordStore();
  const tools = { store, change: createChanger(proposalResource, store), work: createWork(store) };
  return route(proposalOperations.approveProposal, approve(tools));
};

export const rejectProposal = () =>
  route(
    proposalOperations.rejectProposal,
    decide(createChanger(proposalResource), proposalResource, proposalRules, 'rejected'),
  );

export const listProposalHistory = () =>
  route(proposalOperations.listProposalHistory, listHistory(createRecordStore(), proposalResource, createCursorSeal()));
