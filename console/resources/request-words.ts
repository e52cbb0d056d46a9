import type { ServiceClient } from '../../client/index.ts';
import type { RequestState } from '../../contract/states.ts';
import { type ListSpec, timeSorts } from '../records/list-address.ts';
import type { FieldSection } from '../records/record-draft.ts';
import type { RecordWords } from '../records/record-words.ts';

export type ServiceRequest = Awaited<ReturnType<ServiceClient['getRequest']>>;

export const requestList = '/requests';

export const requestPath = (id: string) => `${requestList}/${encodeURIComponent(id)}`;

export const stateNames: Readonly<Record<RequestState, string>> = {
  submitted: 'Submitted',
  approved: 'Approved',
  rejected: 'Rejected',
  fulfilled: 'Fulfilled',
  cancelled: 'Cancelled',
};

/** The texts of the buttons that move a record to a state. Approvals have their own. */
export const stepTexts: Readonly<Partial<Record<RequestState, string>>> = {
  fulfilled: 'Fulfill',
  cancelled: 'Cancel request',
};

export const requestWords: RecordWords = {
  thing: 'request',
  fields: {
    short_description: 'Short description',
    requested_for: 'Requested for',
    decision_by: 'Decided by',
    decision_at: 'Decided at',
    decision_note: 'Decision note',
  } satisfies { [Field in keyof ServiceRequest]?: string },
  values: { state: stateNames },
};

export const requestListSpec: ListSpec = {
  choices: { state: stateNames },
  texts: ['item', 'requested_for', 'requested_by'],
  sorts: timeSorts,
};

export const requestSections: readonly FieldSection[] = [
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

export const requestFields = requestSections.flatMap(({ fields }) => fields);
