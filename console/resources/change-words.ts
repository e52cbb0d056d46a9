import type { ServiceClient } from '../../client/index.ts';
import { type ChangeState, changeRisks, changeStates, changeTypes } from '../../contract/states.ts';
import { type ListSpec, timeSorts } from '../records/list-address.ts';
import type { FieldSection } from '../records/record-draft.ts';
import { createKind } from '../records/record-kind.ts';
import { nameValues, type RecordWords } from '../records/record-words.ts';
import { assignmentSection } from './incident-words.ts';
import { breachSort, slaNames } from './sla.ts';

export type Change = Awaited<ReturnType<ServiceClient['getChange']>>;

export const changeList = '/changes';

export const changePath = (id: string) => `${changeList}/${encodeURIComponent(id)}`;

export const stateNames = nameValues(changeStates);

export const riskNames = nameValues(changeRisks);

export const typeNames = nameValues(changeTypes);

/** The texts of the buttons that move a record to a state. Approvals have their own. */
export const stepTexts: Readonly<Partial<Record<ChangeState, string>>> = {
  submitted: 'Submit for approval',
  implementing: 'Start work',
  completed: 'Complete',
  cancelled: 'Cancel change',
};

export const changeWords: RecordWords = {
  thing: 'change',
  fields: {
    backout_plan: 'Back-out plan',
    ci_ids: 'Configuration items',
    decision_by: 'Decided by',
    decision_at: 'Decided at',
    sla: 'SLA',
    sla_breach_at: 'SLA breach at',
    sla_breached_at: 'SLA breached at',
  } satisfies { [Field in keyof Change | 'sla']?: string },
  values: { state: stateNames, risk: riskNames, type: typeNames },
};

export const changeListSpec: ListSpec = {
  choices: { state: stateNames, risk: riskNames, type: typeNames, sla: slaNames },
  texts: ['assignment_group', 'assigned_to', 'requested_by'],
  sorts: {
    ...timeSorts,
    sla_breach_at: breachSort,
    planned_start: { desc: 'Latest start first', asc: 'Earliest start first' },
    risk: { desc: 'Highest risk first', asc: 'Lowest risk first' },
  },
};

export const scheduleTitle = 'Schedule and scope';

const changeSections: readonly FieldSection[] = [
  {
    title: 'Change details',
    fields: [
      { name: 'short_description', kind: 'summary', hint: 'A one-line summary.' },
      { name: 'description', kind: 'markdown' },
      { name: 'type', kind: 'choice', first: 'normal' },
      { name: 'risk', kind: 'choice', first: 'medium' },
    ],
  },
  {
    title: 'Plans',
    collapsible: true,
    fields: [
      { name: 'implementation_plan', kind: 'markdown', hint: 'The steps of the work.' },
      { name: 'test_plan', kind: 'markdown', hint: 'How to check that it worked.' },
      { name: 'backout_plan', kind: 'markdown', hint: 'How to undo it.' },
    ],
  },
  {
    title: scheduleTitle,
    fields: [
      { name: 'planned_start', kind: 'moment', hint: 'In your time zone.' },
      { name: 'planned_end', kind: 'moment', hint: 'In your time zone.' },
      { name: 'ci_ids', kind: 'cis', hint: 'The items this change affects.' },
    ],
  },
  assignmentSection,
];

export const changeKind = createKind('Change', changeList, changeWords, changeSections);
