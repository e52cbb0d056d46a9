import { useRef, useState } from 'react';
import { useApi } from '../../base/api.ts';
import { replaceLocation } from '../../base/router.ts';
import { useUnknownNames } from '../../records/directory.ts';
import { type Draft, emptyDraft, findMissing, toCreation, toDraft, toPatch } from '../../records/record-draft.ts';
import { RecordEditor } from '../../records/record-editor.tsx';
import { RecordFields } from '../../records/record-fields.tsx';
import { RequireRole } from '../../records/require-role.tsx';
import { incidentControls } from '../../resources/incident-controls.tsx';
import {
  type Incident,
  incidentFields,
  incidentPath,
  incidentSections,
  incidentWords,
} from '../../resources/incident-words.ts';
import { useKnownValues } from '../../resources/known-values.ts';
import { splitProblem } from '../../ui/field-problems.ts';
import { focusFirstProblem, RecordForm } from '../../ui/forms.tsx';
import { Button, Checkbox, FormField, Stack, Textarea } from '../../ui/kit/index.ts';
import { PageLayout } from '../../ui/layouts.tsx';
import { PageLink } from '../../ui/links.tsx';
import { notify } from '../../ui/notices.ts';
import { FactsSkeleton } from '../../ui/panels.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { useAction } from '../../ui/use-action.ts';
import { ConflictModal, type IncidentVersion, useIncident, useIncidentChange } from './incident-change.tsx';
import { SimilarRecords } from './similar-records.tsx';
import { Suggestions } from './suggestions.tsx';

export function CreateIncidentPage() {
  const { client } = useApi();
  const [notifying, setNotifying] = useState(false);
  useKnownValues();
  return (
    <RecordEditor
      title="Create incident"
      description="The incident starts in the New state and its SLA clock starts immediately."
      sections={incidentSections}
      words={incidentWords}
      controls={incidentControls}
      first={emptyDraft(incidentFields)}
      submitText="Create incident"
      cancelTo="/incidents"
      assist={(draft, onChange, chosen) => (
        <Stack>
          <SimilarRecords
            text={toReport(draft)}
            action={(id) => <AddReport key={id} id={id} text={toReport(draft)} />}
          />
          <Suggestions draft={draft} chosen={chosen} onApply={onChange} />
          <Checkbox
            checked={notifying}
            onChange={setNotifying}
            description="Notifies everyone who follows the assignment group."
          >
            Notify stakeholders
          </Checkbox>
        </Stack>
      )}
      save={async (draft, key) => {
        const creation = {
          short_description: '',
          ...toCreation(draft, incidentFields),
          notify_stakeholders: notifying,
        };
        const idempotencyKey = `${key}-${notifying}`;
        const incident = await client.createIncident(creation, { idempotencyKey });
        announce(incident);
        replaceLocation(incidentPath(incident.id));
      }}
    />
  );
}

const reportFields = incidentFields.filter(({ name }) => ['urgency', 'ci_id'].includes(name));
const reportSections = [
  ...incidentSections.slice(0, 1).map(({ fields }) => ({ title: 'What is wrong?', fields })),
  { title: 'How it affects you', fields: reportFields },
];

/** For people who do not work at the service desk, which decides on everything else. */
export function ReportPage() {
  const { client } = useApi();
  const fields = reportSections.flatMap((section) => section.fields);
  return (
    <RecordEditor
      title="Report a problem"
      description="We look at it and keep you informed. You can follow it on the overview."
      sections={reportSections}
      words={incidentWords}
      controls={incidentControls}
      minRole="viewer"
      first={emptyDraft(fields)}
      submitText="Send report"
      cancelTo="/"
      assist={(draft) => <SimilarRecords text={toReport(draft)} />}
      save={async (draft, idempotencyKey) => {
        const report = { short_description: '', ...toCreation(draft, fields) };
        const incident = await client.reportIncident(report, { idempotencyKey });
        announce(incident);
        replaceLocation(incidentPath(incident.id));
      }}
    />
  );
}

const toReport = ({ short_description, description }: Draft) => `${short_description}\n${description}`;

/** Adds the report to an incident that somebody has already created. */
function AddReport({ id, text }: { id: string; text: string }) {
  const { client } = useApi();
  const action = useAction();
  const [isAdded, setAdded] = useState(false);
  const add = () =>
    action.run(async () => {
      await client.createWorkNote({ id }, { body: text.trim() });
      setAdded(true);
    });
  if (action.problem !== undefined) return <ProblemView problem={action.problem} onRetry={add} />;
  return (
    <Button
      variant="inline"
      ariaLabel={`Add my report to ${id}`}
      loading={action.busy}
      disabled={isAdded}
      onClick={add}
    >
      {isAdded ? 'Added' : 'Add my report to it'}
    </Button>
  );
}

function announce({ id, short_description }: Incident): void {
  notify({
    type: 'success',
    content: (
      <span className="wrapping">
        <PageLink to={incidentPath(id)} fontSize="inherit" color="inverted">
          {id}
        </PageLink>{' '}
        was created: {short_description}
      </span>
    ),
  });
}

export function EditIncidentPage({ id }: { id: string }) {
  const { data, problem, reload } = useIncident(id, 'existing');
  useKnownValues();
  return (
    <PageLayout title={`Edit ${id}`}>
      <RequireRole minRole="itsm_agent" action="edit incidents">
        {data ? (
          <EditForm version={data} />
        ) : problem === undefined ? (
          <FactsSkeleton facts={6} label="Loading incident" />
        ) : (
          <ProblemView problem={problem} onRetry={reload} />
        )}
      </RequireRole>
    </PageLayout>
  );
}

/** Compares with the version that the form was opened with, whatever changes meanwhile. */
function EditForm({ version }: { version: IncidentVersion }) {
  const [opened] = useState(version);
  const { record: incident } = opened;
  const form = useRef<HTMLFormElement>(null);
  const [draft, setDraft] = useState(() => toDraft(incident, incidentFields));
  const [note, setNote] = useState('');
  const leave = () => replaceLocation(incidentPath(incident.id));
  const change = useIncidentChange(opened, leave);
  const { byField, rest } = splitProblem(change.problem, (field) => field === 'work_note' || field in draft);
  const unknown = useUnknownNames(draft, toDraft(incident, incidentFields));
  const problems = { ...findMissing(draft, incidentFields), ...unknown };
  const submit = async () => {
    const patch = toPatch(draft, incident, incidentFields);
    const body = note.trim() === '' ? patch : { ...patch, work_note: note };
    if (Object.keys(body).length === 0) return leave();
    if (Object.keys(problems).length > 0 || !(await change.save(body))) focusFirstProblem(form.current);
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
      <RecordFields
        sections={incidentSections}
        words={incidentWords}
        controls={incidentControls}
        draft={draft}
        problems={{ ...problems, ...byField }}
        onChange={(field, value) => {
          setDraft((before) => ({ ...before, [field]: value }));
          change.forgetProblem();
        }}
      />
      <FormField label="Work note" description="Explain the change to your team." errorText={byField.work_note} stretch>
        <Textarea rows={2} value={note} onChange={setNote} />
      </FormField>
      <ConflictModal change={change} />
    </RecordForm>
  );
}
