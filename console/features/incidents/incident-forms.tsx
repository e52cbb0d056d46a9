import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Checkbox from '@cloudscape-design/components/checkbox';
import ContentLayout from '@cloudscape-design/components/content-layout';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Textarea from '@cloudscape-design/components/textarea';
import { useRef, useState } from 'react';
import { useApi } from '../../app/api.ts';
import { useHasRole } from '../../app/caller.tsx';
import { replaceLocation } from '../../app/router.ts';
import { type Draft, emptyDraft, findMissing, toCreation, toDraft, toPatch } from '../../records/record-draft.ts';
import { RecordEditor } from '../../records/record-editor.tsx';
import { RecordFields } from '../../records/record-fields.tsx';
import { splitProblem } from '../../ui/field-problems.ts';
import { focusFirstProblem, RecordForm } from '../../ui/forms.tsx';
import { PageLink } from '../../ui/links.tsx';
import { notify } from '../../ui/notices.ts';
import { FactsSkeleton } from '../../ui/panels.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { useAction } from '../../ui/use-action.ts';
import { ConflictModal, type IncidentVersion, useIncident, useIncidentChange } from './incident-change.tsx';
import { incidentControls } from './incident-controls.tsx';
import { type Incident, incidentFields, incidentPath, incidentSections, incidentWords } from './incident-words.ts';
import { useKnownValues } from './known-values.ts';

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
      assist={(draft, onChange) => (
        <SpaceBetween size="l">
          <SuggestButton draft={draft} onSuggest={onChange} />
          <Checkbox
            checked={notifying}
            onChange={({ detail }) => setNotifying(detail.checked)}
            description="Notifies the assignment group and everyone who follows it."
          >
            Notify stakeholders
          </Checkbox>
        </SpaceBetween>
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
  const canWrite = useHasRole('itsm_agent');
  useKnownValues();
  return (
    <ContentLayout header={<Header variant="h1">Edit {id}</Header>}>
      {!canWrite ? (
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
  const submit = async () => {
    const patch = toPatch(draft, incident, incidentFields);
    const body = note.trim() === '' ? patch : { ...patch, work_note: note };
    if (Object.keys(body).length === 0) return leave();
    const complete = Object.keys(findMissing(draft, incidentFields)).length === 0;
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
      <RecordFields
        sections={incidentSections}
        words={incidentWords}
        controls={incidentControls}
        draft={draft}
        problems={{ ...findMissing(draft, incidentFields), ...byField }}
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

type Suggested = Readonly<Partial<Record<'category' | 'subcategory' | 'priority' | 'assignment_group', string>>>;

/** Fills in empty fields with what similar resolved incidents had; a priority is only ever raised. */
export function SuggestButton({ draft, onSuggest }: { draft: Draft; onSuggest(values: Suggested): void }) {
  const { client } = useApi();
  const action = useAction();
  const [told, setTold] = useState<string>();
  const text = `${draft.short_description}\n${draft.description}`.trim();
  const suggest = () =>
    void action.run(async () => {
      const { category, subcategory, assignment_group, priority } = draft;
      // P3 is what every new form shows, so nobody chose it.
      const current = { category, subcategory, assignment_group, priority: priority === 'P3' ? '' : priority };
      const chosen = Object.fromEntries(Object.entries(current).filter(([, value]) => value !== ''));
      const { suggestions } = await client.suggestFields({ text: text.slice(0, 4_000), current: chosen });
      const entries = Object.entries(suggestions).flatMap(([field, given]) => (given ? [{ field, ...given }] : []));
      onSuggest(Object.fromEntries(entries.map(({ field, value }) => [field, value])));
      const sure = entries.map(
        ({ field, value, confidence }) => `${field.replace('_', ' ')} ${value} (${Math.round(confidence * 100)}%)`,
      );
      const filled = sure.length > 0 ? `Filled in: ${sure.join(', ')}.` : 'Nothing to fill in.';
      setTold(`${filled} ${suggestions.priority?.reasoning ?? ''}`);
    });
  return (
    <SpaceBetween size="xs">
      <Button formAction="none" iconName="gen-ai" loading={action.busy} disabled={text === ''} onClick={suggest}>
        Suggest fields
      </Button>
      {action.problem !== undefined && <ProblemView problem={action.problem} />}
      {told !== undefined && action.problem === undefined && (
        <Alert type="info" statusIconAriaLabel="Info">
          <Box variant="span">{told}</Box>
        </Alert>
      )}
    </SpaceBetween>
  );
}
