import type { ServiceClient } from '../../client/index.ts';
import { type ProposableOperation, proposalStates } from '../../contract/states.ts';
import { type ListSpec, timeSorts } from '../records/list-address.ts';
import { nameValues, type RecordWords } from '../records/record-words.ts';

export type Proposal = Awaited<ReturnType<ServiceClient['getProposal']>>;

export const proposalList = '/proposals';

export const proposalPath = (id: string) => `${proposalList}/${encodeURIComponent(id)}`;

export const stateNames = nameValues(proposalStates);

const operationNames: Readonly<Record<ProposableOperation, string>> = {
  createIncident: 'Create incident',
  updateIncident: 'Update incident',
  createCi: 'Create configuration item',
  updateCi: 'Update configuration item',
};

/** What the proposal asks for, in one line. */
export function summarize({ operation, record_id, body }: Proposal): string {
  const name = body.short_description ?? body.name;
  const subject = operation.startsWith('update') ? record_id : typeof name === 'string' ? `“${name}”` : '';
  return `${operationNames[operation]} ${subject}`.trim();
}

export const proposalWords: RecordWords = {
  thing: 'proposal',
  fields: {
    record_id: 'Record',
    if_match: 'Version of the record',
    decision_by: 'Decided by',
    decision_at: 'Decided at',
  } satisfies { [Field in keyof Proposal]?: string },
  values: { state: stateNames, operation: operationNames },
};

export const proposalListSpec: ListSpec = {
  choices: { state: stateNames, operation: operationNames },
  texts: ['record_id', 'requested_by'],
  sorts: timeSorts,
};
