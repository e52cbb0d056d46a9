import { useCallback, useState } from 'react';
import type { ServiceClient } from '../../../client/index.ts';
import { approvedChangeFields, changeTransitions } from '../../../contract/states.ts';
import { useApi } from '../../base/api.ts';
import { replaceLocation } from '../../base/router.ts';
import { type ApprovalApi, ApprovalPage, approvalFacts, createFieldLock, toSteps } from '../../records/approval.tsx';
import { emptyDraft, toCreation } from '../../records/record-draft.ts';
import { EditRecordPage, RecordEditor } from '../../records/record-editor.tsx';
import { addPlainFacts } from '../../records/record-page.tsx';
import { formatFieldName } from '../../records/record-words.ts';
import { ChangeState, RiskBadge } from '../../resources/change-labels.tsx';
import {
  type Change,
  changeFields,
  changeList,
  changePath,
  changeSections,
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

const createApi = (client: ServiceClient, id: string): ApprovalApi<Change> => ({
  get: (options) => client.getChange.withResponse({ id }, options),
  history: (page, options) => client.listChangeHistory({ id, ...page }, options),
  notes: {
    list: (page, options) => client.listChangeNotes({ id, ...page }, options),
    add: (note) => client.createChangeNote({ id }, note),
  },
  decide: (verdict, body, options) => client[`${verdict}Change`].withResponse({ id }, body, options),
  enter: (state, options) => client.updateChange.withResponse({ id }, { state: state as Change['state'] }, options),
  remove: (options) => client.deleteChange({ id }, options),
});

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
  return [...addPlainFacts(facts, change, changeFields, changeWords), ...slaFacts(change), ...approvalFacts(change)];
}

export function CreateChangePage() {
  const { client } = useApi();
  const [isDraft, setDraft] = useState(false);
  return (
    <RecordEditor
      title="Create change"
      description="Another manager must approve this change."
      sections={changeSections}
      words={changeWords}
      controls={changeControls}
      first={emptyDraft(changeFields)}
      submitText={isDraft ? 'Save draft' : 'Submit change'}
      cancelTo={changeList}
      below={(draft) => ({ [scheduleTitle]: <DraftCollisions draft={draft} /> })}
      save={async (draft, key) => {
        const creation = { short_description: '', ...toCreation(draft, changeFields) };
        const state = isDraft ? ('draft' as const) : ('submitted' as const);
        const { id } = await client.createChange({ ...creation, state }, { idempotencyKey: `${key}-${state}` });
        replaceLocation(changePath(id));
      }}
    >
      <Checkbox
        checked={isDraft}
        onChange={setDraft}
        description="Drafts are not sent for approval until you submit them."
      >
        Save as draft
      </Checkbox>
    </RecordEditor>
  );
}

export function EditChangePage({ id }: { id: string }) {
  const { client } = useApi();
  const load = useCallback((signal: AbortSignal) => client.getChange.withResponse({ id }, { signal }), [client, id]);
  return (
    <EditRecordPage<Change>
      id={id}
      load={load}
      fields={changeFields}
      sections={changeSections}
      words={changeWords}
      controls={changeControls}
      pageTo={changePath(id)}
      fixed={fixed}
      below={(draft) => ({ [scheduleTitle]: <DraftCollisions draft={draft} changeId={id} /> })}
      save={(patch, options) => client.updateChange({ id }, patch, options)}
    />
  );
}

const fixed = createFieldLock(approvedChangeFields, changeWords.thing);
