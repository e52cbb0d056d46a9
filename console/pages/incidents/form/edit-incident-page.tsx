import ContentLayout from '@cloudscape-design/components/content-layout';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import Textarea from '@cloudscape-design/components/textarea';
import { useRef, useState } from 'react';
import { FactsSkeleton } from '../../../components/facts-skeleton.tsx';
import { ProblemView } from '../../../components/problem-view.tsx';
import { RecordForm } from '../../../components/record-form.tsx';
import { divideProblem } from '../../../field-problems.ts';
import { focusFirstProblem } from '../../../focus-first-problem.ts';
import { replaceLocation } from '../../../location.ts';
import { useMay } from '../../../use-may.ts';
import { ConflictModal } from '../conflict-modal.tsx';
import { incidentPath } from '../incident-words.ts';
import { type IncidentVersion, useIncident } from '../use-incident.ts';
import { useIncidentChange } from '../use-incident-change.ts';
import { draftOf, isDraftField, patchOf, problemsOf } from './incident-draft.ts';
import { IncidentFields } from './incident-fields.tsx';
import { useKnownValues } from './use-known-values.ts';

export function EditIncidentPage({ id }: { id: string }) {
  const { data, problem, reload } = useIncident(id, 'existing');
  const mayWrite = useMay('itsm_agent');
  useKnownValues();
  return (
    <ContentLayout header={<Header variant="h1">Edit {id}</Header>}>
      {!mayWrite ? (
        <ProblemView problem={new Error('You need the Agent role to edit incidents.')} />
      ) : data ? (
        <EditForm version={data} />
      ) : problem === undefined ? (
        <FactsSkeleton facts={6} label="Loading incident" />
      ) : (
        <ProblemView problem={problem} onRetry={reload} />
      )}
    </ContentLayout>
  );
}

/** The version that the form was opened with stays the one to compare with, whatever happens meanwhile. */
function EditForm({ version }: { version: IncidentVersion }) {
  const { incident } = version;
  const form = useRef<HTMLFormElement>(null);
  const [draft, setDraft] = useState(() => draftOf(incident));
  const [note, setNote] = useState('');
  const leave = () => replaceLocation(incidentPath(incident.id));
  const change = useIncidentChange(version, leave);
  const { byField, rest } = divideProblem(change.problem, (name) => name === 'work_note' || isDraftField(name));
  const submit = async () => {
    const patch = patchOf(draft, incident);
    const body = note.trim() === '' ? patch : { ...patch, work_note: note };
    if (Object.keys(body).length === 0) return leave();
    const complete = Object.keys(problemsOf(draft)).length === 0;
    if (!complete || !(await change.save(body))) focusFirstProblem(form.current);
  };
  return (
    <RecordForm
      ref={form}
      submitText="Save changes"
      onSubmit={submit}
      saving={change.saving}
      cancelTo={incidentPath(incident.id)}
    >
      {rest !== undefined && <ProblemView problem={rest} />}
      <IncidentFields
        draft={draft}
        problems={{ ...problemsOf(draft), ...byField }}
        onChange={(field, value) => {
          setDraft((before) => ({ ...before, [field]: value }));
          change.forgetProblem();
        }}
      />
      <FormField label="Work note" description="Explain the change to your team." errorText={byField.work_note} stretch>
        <Textarea rows={2} value={note} onChange={({ detail }) => setNote(detail.value)} />
      </FormField>
      <ConflictModal change={change} />
    </RecordForm>
  );
}
