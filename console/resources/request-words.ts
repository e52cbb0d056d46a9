import type { ServiceClient } from '../../client/index.ts';
import { type RequestState, requestStates } from '../../contract/states.ts';
import { type ListSpec, timeSorts } from '../records/list-address.ts';
import type { FieldSection } from '../records/record-draft.ts';
import { createKind } from '../records/record-kind.ts';
import { nameValues, type RecordWords } from '../records/record-words.ts';
import { breachSort, slaNames } from './sla.ts';

export type ServiceRequest = Awaited<ReturnType<ServiceClient['getRequest']>>;

export const requestList = '/requests';

export const requestPath = (id: string) => `${requestList}/${encodeURIComponent(id)}`;

export const stateNames = nameValues(requestStates);

/** The texts of the buttons that move a record to a state. Approvals have their own. */
export const stepTexts: Readonly<Partial<Record<RequestState, string>>> = {
  fulfilled: 'Fulfill',
  cancelled: 'Cancel request',
};

export const requestWords: RecordWords = {
  thing: 'request',
  fields: {
    decision_by: 'Decided by',
    decision_at: 'Decided at',
    sla: 'SLA',
    sla_breach_at: 'SLA breach at',
    sla_breached_at: 'SLA breached at',
  } satisfies { [Field in keyof ServiceRequest | 'sla']?: string },
  values: { state: stateNames },
};

export const requestListSpec: ListSpec = {
  choices: { state: stateNames, sla: slaNames },
  texts: ['item', 'requested_for', 'requested_by'],
  sorts: { ...timeSorts, sla_breach_at: breachSort },
};

const requestSections: readonly FieldSection[] = [
  {
    title: 'Request details',
    fields: [
      { name: 'short_description', kind: 'summary', hint: 'A one-line summary.' },
      { name: 'description', kind: 'markdown' },
      { name: 'item', kind: 'item' },
      { name: 'quantity', kind: 'number', first: '1' },
      { name: 'requested_for', kind: 'assignee' },
    ],
  },
];

export const requestKind = createKind('Request', requestList, requestWords, requestSections);
