import * as z from 'zod';
import { filter, listQuery } from './list-query.ts';
import { defineOperations } from './operation.ts';
import { approvalFields, decision, recordOperations } from './record-operations.ts';
import { defaultToNull, enumList, id, idParams, lifecycleFields, text, withReadOnlyFields } from './records.ts';
import { proposableOperations, proposalStates } from './states.ts';

// A change that a program proposes and a person approves. It is applied once, with the approver's role.

export const proposalId = id('proposal', 'ID of the proposal.', 'PRP4T9X2MQ');

const operation = z.enum(proposableOperations).meta({ description: 'Operation that the proposal asks for.' });

const body = z.record(z.string(), z.unknown()).meta({
  description: 'Body of the operation. It is validated when the proposal is created and again when it is applied.',
});

const evidence = text(4_000, 'Why the change is right, in Markdown: what was observed, and where.');

const optionalFields = {
  record_id: z
    .string()
    .max(64)
    .nullable()
    .meta({ description: 'ID of the record to update; null to create one. After the creation, the new record.' }),
  if_match: z
    .string()
    .max(100)
    .nullable()
    .meta({ description: 'ETag that the record must have when the proposal is applied.', examples: ['"3-1"'] }),
};

const computed = {
  state: z.enum(proposalStates).meta({ description: 'State of the proposal.' }),
  error: z
    .strictObject({ code: z.string(), detail: z.string() })
    .nullable()
    .meta({ description: 'Why the operation failed after the approval.' }),
  assignment_group: z
    .string()
    .nullable()
    .meta({ description: 'Group of the record, which is notified of the proposal.', examples: ['network'] }),
  ...approvalFields,
  ...lifecycleFields('proposal'),
};

const identifiers = { id: proposalId, number: proposalId.meta({ description: 'Same as `id`.' }) };

export const proposal = z
  .strictObject({ ...identifiers, operation, body, evidence, ...optionalFields, ...computed })
  .meta({ id: 'Proposal', description: 'Proposed change of a record.' });

export type Proposal = z.infer<typeof proposal>;

export const proposalCreation = withReadOnlyFields(
  z
    .strictObject({ operation, body, evidence, ...defaultToNull(optionalFields) })
    .meta({ id: 'ProposalCreation', description: 'New proposal.' }),
  { ...identifiers, ...computed },
);

export type ProposalCreation = z.output<typeof proposalCreation>;

const proposalListQuery = listQuery({
  things: 'proposals',
  filters: {
    state: enumList(proposalStates, 'Filter by state, comma-separated.'),
    operation: enumList(proposableOperations, 'Filter by operation, comma-separated.'),
    record_id: filter('Filter by record.'),
    requested_by: filter('Filter by proposer.'),
  },
  sorts: ['created_at', 'updated_at'],
  searched: 'evidence',
});

const example: Proposal = {
  id: 'PRP4T9X2MQ',
  number: 'PRP4T9X2MQ',
  operation: 'updateIncident',
  body: { priority: 'P1', work_note: 'Three more sites report it.' },
  evidence: 'Alerts of Lisbon, Porto and Madrid since 09:10 name the same gateway.',
  record_id: 'INC7K2M9QX',
  if_match: '"3-1"',
  state: 'pending',
  error: null,
  assignment_group: 'network',
  requested_by: 'triage@clients.incidents.example.com',
  decision_by: null,
  decision_at: null,
  decision_note: null,
  deleted: false,
  created_at: '2026-03-01T09:30:00.000Z',
  updated_at: '2026-03-01T09:30:00.000Z',
};

const operations = recordOperations({
  capability: 'proposals',
  path: '/proposals',
  thing: 'proposal',
  things: 'proposals',
  params: idParams(proposalId),
  record: proposal,
  example,
});

const { body: exampleBody, evidence: exampleEvidence, record_id, if_match } = example;

export const proposalOperations = defineOperations({
  listProposals: operations.list(proposalListQuery),
  createProposal: {
    ...operations.create(proposalCreation, {
      description:
        'Stores a change that somebody else approves. Every role may propose; nothing changes before the approval. The body ' +
        'is validated like the body of the operation.',
      bodyExample: { operation: 'updateIncident', record_id, body: exampleBody, if_match, evidence: exampleEvidence },
    }),
    access: 'viewer',
  },
  getProposal: operations.get,
  approveProposal: operations.act('approve', decision, {
    summary: 'Approve a proposal',
    description:
      'Applies the proposal once, as a request of the approver, who needs the role of the operation and must not be the ' +
      'proposer, except with the role `super_admin`. The history of the record names the approver and the proposal. If the ' +
      'operation is rejected, for example because the record has changed, the proposal becomes `failed` with the `error`. ' +
      'Repeating an interrupted approval completes it.',
    access: 'itsm_agent',
    bodyExample: { note: 'Confirmed with the network team.' },
  }),
  rejectProposal: operations.act('reject', decision, {
    summary: 'Reject a proposal',
    description: 'Rejects the proposal. If several callers decide at the same time, the first decision wins.',
    access: 'itsm_agent',
    bodyExample: { note: 'One site only.' },
  }),
  listProposalHistory: operations.history,
});
