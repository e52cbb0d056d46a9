import Button from '@cloudscape-design/components/button';
import ContentLayout from '@cloudscape-design/components/content-layout';
import Form from '@cloudscape-design/components/form';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Textarea from '@cloudscape-design/components/textarea';
import { useRef, useState } from 'react';
import { FactsSkeleton } from '../../../components/facts-skeleton.tsx';
import { PageButton } from '../../../components/page-button.tsx';
import { ProblemView } from '../../../components/problem-view.tsx';
import { divideProblem } from '../../../field-problems.ts';
import { navigate } from '../../../location.ts';
import { useMay } from '../../../use-may.ts';
import { ConflictModal } from '../conflict-modal.tsx';
import { incidentPath } from '../incident-words.ts';
import { type IncidentVersion, useIncident } from '../use-incident.ts';
import { useIncidentChange } from '../use-incident-change.ts';
import { focusFirstProblem } from './focus-first-problem.ts';
import { type DraftField, draftFields, draftOf, patchOf, problemsOf } from './incident-draft.ts';
import { IncidentFields } from './incident-fields.tsx';
import { useKnownValues } from './use-known-values.ts';

export function EditIncidentPage({ id }: { id: string }) {
  const { data, problem, reload } = useIncident(id, 'existing');
  const mayWrite = useMay('itsm_agent');
  useKnownValues();
  return (
    <ContentLayout header={<Header variant="h1">Edit {id}</Header>}>
      {!mayWrite ? (
        <ProblemView problem={new Error('Changing incidents needs the role Agent.')} />
      ) : data ? (
        <EditForm version={data} />
      ) : problem === undefined ? (
        <FactsSkeleton facts={6} label="Loading the incident" />
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
  const leave = () => navigate(incidentPath(incident.id));
  const change = useIncidentChange(version, leave);
  const shown = (name: string) => name === 'work_note' || draftFields.includes(name as DraftField);
  const { byField, rest } = divideProblem(change.problem, shown);
  const patch = patchOf(draft, incident);
  const submit = async () => {
    if (Object.keys(problemsOf(draft)).length > 0) return focusFirstProblem(form.current);
    const body = note.trim() === '' ? patch : { ...patch, work_note: note };
    if (Object.keys(body).length === 0) return leave();
    if (!(await change.save(body))) focusFirstProblem(form.current);
  };
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        if (!change.saving) submit();
      }}
    >
      <Form
        actions={
          <SpaceBetween direction="horizontal" size="xs">
            <PageButton to={incidentPath(incident.id)} variant="link">
              Cancel
            </PageButton>
            <Button variant="primary" loading={change.saving} loadingText="Saving the changes">
              Save changes
            </Button>
          </SpaceBetween>
        }
      >
        <SpaceBetween size="l">
          {rest !== undefined && <ProblemView problem={rest} />}
          <IncidentFields
            draft={draft}
            problems={{ ...problemsOf(draft), ...byField }}
            onChange={(field, value) => {
              setDraft((before) => ({ ...before, [field]: value }));
              change.forgetProblem();
            }}
          />
          <FormField label="Work note" description="Why, for the team." errorText={byField.work_note} stretch>
            <Textarea rows={2} value={note} onChange={({ detail }) => setNote(detail.value)} />
          </FormField>
        </SpaceBetween>
      </Form>
      <ConflictModal change={change} />
    </form>
  );
}
