import type { ServiceClient } from '../../client/index.ts';
import type { ProblemState } from '../../contract/states.ts';
import { type ListSpec, timeSorts } from '../records/list-address.ts';
import type { FieldSection } from '../records/record-draft.ts';
import { createKind } from '../records/record-kind.ts';
import type { RecordWords } from '../records/record-words.ts';
import { assignmentSection, priorityNames } from './incident-words.ts';

export type Problem = Awaited<ReturnType<ServiceClient['getProblem']>>;

export const problemList = '/problems';

export const problemPath = (id: string) => `${problemList}/${encodeURIComponent(id)}`;

export const stateNames: Readonly<Record<ProblemState, string>> = {
  new: 'New',
  assessed: 'Assessed',
  root_cause_known: 'Root cause known',
  fix_in_progress: 'Fix in progress',
  resolved: 'Resolved',
  closed: 'Closed',
  cancelled: 'Cancelled',
};

/** The texts of the buttons that move a problem to a state. */
export const stepTexts: Readonly<Partial<Record<ProblemState, string>>> = {
  assessed: 'Assess',
  root_cause_known: 'Root cause found',
  fix_in_progress: 'Start fix',
  resolved: 'Resolve',
  closed: 'Close',
  cancelled: 'Cancel problem',
};

const yesNo = { false: 'No', true: 'Yes' };

export const problemWords: RecordWords = {
  thing: 'problem',
  fields: {
    short_description: 'Short description',
    root_cause: 'Root cause',
    known_error: 'Known error',
    ci_id: 'Configuration item',
    change_ids: 'Related changes',
    assigned_to: 'Assigned to',
    opened_by: 'Opened by',
    resolved_at: 'Resolved at',
    closed_at: 'Closed at',
  } satisfies { [Field in keyof Problem]?: string },
  values: { state: stateNames, priority: priorityNames, known_error: yesNo },
};

export const problemListSpec: ListSpec = {
  choices: { state: stateNames, priority: priorityNames, known_error: { true: 'Yes' } },
  texts: ['assignment_group', 'assigned_to', 'opened_by'],
  sorts: { ...timeSorts, priority: { asc: 'Most urgent first', desc: 'Least urgent first' } },
};

const problemSections: readonly FieldSection[] = [
  {
    title: 'Problem details',
    fields: [
      { name: 'short_description', kind: 'summary', hint: 'A one-line summary.' },
      { name: 'description', kind: 'markdown' },
      { name: 'priority', kind: 'choice', first: 'P3' },
      { name: 'ci_id', kind: 'line', hint: 'The item with the fault, such as CI0000042.' },
    ],
  },
  {
    title: 'Cause and workaround',
    fields: [
      { name: 'root_cause', kind: 'markdown' },
      { name: 'workaround', kind: 'markdown', hint: 'How to restore the service until the problem is fixed.' },
      {
        name: 'known_error',
        kind: 'flag',
        first: 'false',
        hint: 'The workaround of a known error is offered on similar incidents.',
      },
      { name: 'change_ids', kind: 'words', hint: 'IDs of changes, separated by commas.' },
    ],
  },
  assignmentSection,
];

export const problemKind = createKind('Problem', problemList, problemWords, problemSections);
