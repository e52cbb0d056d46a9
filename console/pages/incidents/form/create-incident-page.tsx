import Button from '@cloudscape-design/components/button';
import Checkbox from '@cloudscape-design/components/checkbox';
import ContentLayout from '@cloudscape-design/components/content-layout';
import Form from '@cloudscape-design/components/form';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useRef, useState } from 'react';
import { useApi } from '../../../api.ts';
import { PageButton } from '../../../components/page-button.tsx';
import { PageLink } from '../../../components/page-link.tsx';
import { ProblemView } from '../../../components/problem-view.tsx';
import { divideProblem } from '../../../field-problems.ts';
import { navigate } from '../../../location.ts';
import { notify } from '../../../notices.ts';
import { useMay } from '../../../use-may.ts';
import { incidentPath } from '../incident-words.ts';
import { focusFirstProblem } from './focus-first-problem.ts';
import { creationOf, type DraftField, draftFields, emptyDraft, problemsOf } from './incident-draft.ts';
import { IncidentFields } from './incident-fields.tsx';
import { useKnownValues } from './use-known-values.ts';

export function CreateIncidentPage() {
  const mayWrite = useMay('itsm_agent');
  useKnownValues();
  return (
    <ContentLayout
      header={
        <Header variant="h1" description="It starts as new, and its SLA clock starts at once.">
          Create incident
        </Header>
      }
    >
      {mayWrite ? <CreationForm /> : <ProblemView problem={new Error('Creating incidents needs the role Agent.')} />}
    </ContentLayout>
  );
}

function CreationForm() {
  const { client } = useApi();
  const form = useRef<HTMLFormElement>(null);
  const [draft, setDraft] = useState(emptyDraft);
  const [notifying, setNotifying] = useState(false);
  const [problem, setProblem] = useState<unknown>();
  const [checked, setChecked] = useState(false);
  const [saving, setSaving] = useState(false);
  // One key for one form: pressing the button again after a lost answer does not create a second incident.
  const [key, setKey] = useState(() => crypto.randomUUID());
  const { byField, rest } = divideProblem(problem, (name) => draftFields.includes(name as DraftField));
  const local = checked ? problemsOf(draft) : {};

  const change = (field: DraftField, value: string) => {
    setDraft((before) => ({ ...before, [field]: value }));
    setProblem(undefined);
    setKey(crypto.randomUUID());
  };
  const submit = async () => {
    setChecked(true);
    if (Object.keys(problemsOf(draft)).length > 0) return focusFirstProblem(form.current);
    setSaving(true);
    try {
      const body = { ...creationOf(draft), notify_stakeholders: notifying };
      const { id, short_description } = await client.createIncident(body, { idempotencyKey: key });
      notify({
        type: 'success',
        content: (
          <>
            <PageLink to={incidentPath(id)} fontSize="inherit" color="inverted">
              {id}
            </PageLink>{' '}
            was created: {short_description}
          </>
        ),
      });
      navigate(incidentPath(id));
    } catch (error) {
      setProblem(error);
      setSaving(false);
      focusFirstProblem(form.current);
    }
  };
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        if (!saving) submit();
      }}
    >
      <Form
        actions={
          <SpaceBetween direction="horizontal" size="xs">
            <PageButton to="/incidents" variant="link">
              Cancel
            </PageButton>
            <Button variant="primary" loading={saving} loadingText="Creating the incident">
              Create incident
            </Button>
          </SpaceBetween>
        }
      >
        <SpaceBetween size="l">
          {rest !== undefined && <ProblemView problem={rest} />}
          <IncidentFields draft={draft} problems={{ ...local, ...byField }} onChange={change}>
            <Checkbox
              checked={notifying}
              onChange={({ detail }) => setNotifying(detail.checked)}
              description="Tells the assignment group and everyone who follows the service's notifications."
            >
              Notify stakeholders
            </Checkbox>
          </IncidentFields>
        </SpaceBetween>
      </Form>
    </form>
  );
}
