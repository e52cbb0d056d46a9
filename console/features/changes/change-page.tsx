import { useState } from 'react';
import { approvedChangeFields, changeTransitions } from '../../../contract/states.ts';
import { ApprovalPage, approvalFacts, createFieldLock, createRecordApi, toSteps } from '../../records/approval.tsx';
import { CreateRecordPage, EditRecordPage } from '../../records/record-editor.tsx';
import { addPlainFacts } from '../../records/record-page.tsx';
import { formatFieldName } from '../../records/record-words.ts';
import { ChangeState, RiskBadge } from '../../resources/change-labels.tsx';
import {
  type Change,
  changeKind,
  changeList,
  changeWords,
  scheduleTitle,
  stepTexts,
  typeNames,
} from '../../resources/change-words.ts';
import { CiListField } from '../../resources/ci-controls.tsx';
import { CiLinks } from '../../resources/ci-links.tsx';
import { incidentControls } from '../../resources/incident-controls.tsx';
import { slaFacts } from '../../resources/incident-labels.tsx';
import { Checkbox } from '../../ui/kit/index.ts';
import { noValue, Person, PlannedTime } from '../../ui/text.tsx';
import { LinksPanel } from '../problems/links-panel.tsx';
import { ChangeCollisions, DraftCollisions } from './collisions.tsx';

export function ChangePage({ id }: { id: string }) {
  return (
    <ApprovalPage<Change>
      id={id}
      words={changeWords}
      listTo={changeList}
      api={createApi}
      steps={({ state }) => toSteps(changeTransitions[state], stepTexts)}
      owners={({ requested_by }) => [requested_by]}
      labels={({ state }) => <ChangeState state={state} />}
      facts={listFacts}
      texts={(change) =>
        plans.map((field) => ({ title: formatFieldName(changeWords, field), text: change[field] ?? null }))
      }
      notice={(change) => <ChangeCollisions change={change} />}
      related={() => <LinksPanel kind="change" id={id} />}
    />
  );
}

const changeControls = { ...incidentControls, cis: CiListField };

const plans = ['implementation_plan', 'test_plan', 'backout_plan'] as const;

const createApi = createRecordApi<Change>('Change');

function listFacts(change: Change) {
  const { planned_start, planned_end, assigned_to, assignment_group, ci_ids } = change;
  const facts = [
    { label: 'State', value: <ChangeState state={change.state} /> },
    { label: 'Risk', value: <RiskBadge risk={change.risk} /> },
    { label: 'Type', value: typeNames[change.type] },
    { label: 'Planned start', value: planned_start ? <PlannedTime at={planned_start} /> : noValue },
    { label: 'Planned end', value: planned_end ? <PlannedTime at={planned_end} /> : noValue },
    { label: 'Assignment group', value: assignment_group ?? noValue },
    { label: 'Assigned to', value: assigned_to ? <Person address={assigned_to} /> : noValue },
    { label: 'Configuration items', value: ci_ids.length > 0 ? <CiLinks ids={ci_ids} /> : noValue },
  ];
  return [
    ...addPlainFacts(facts, change, changeKind.fields, changeWords),
    ...slaFacts(change),
    ...approvalFacts(change),
  ];
}

export function CreateChangePage() {
  const [isDraft, setDraft] = useState(false);
  return (
    <CreateRecordPage
      kind={changeKind}
      title="Create change"
      description="Another manager must approve this change."
      controls={changeControls}
      submitText={isDraft ? 'Save draft' : 'Submit change'}
      below={(draft) => ({ [scheduleTitle]: <DraftCollisions draft={draft} /> })}
      added={{ state: isDraft ? 'draft' : 'submitted' }}
    >
      <Checkbox
        checked={isDraft}
        onChange={setDraft}
        description="Drafts are not sent for approval until you submit them."
      >
        Save as draft
      </Checkbox>
    </CreateRecordPage>
  );
}

export function EditChangePage({ id }: { id: string }) {
  return (
    <EditRecordPage<Change>
      kind={changeKind}
      id={id}
      controls={changeControls}
      fixed={fixed}
      below={(draft) => ({ [scheduleTitle]: <DraftCollisions draft={draft} changeId={id} /> })}
    />
  );
}

const fixed = createFieldLock(approvedChangeFields, changeWords.thing);
