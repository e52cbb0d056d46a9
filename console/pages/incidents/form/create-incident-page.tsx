import Checkbox from '@cloudscape-design/components/checkbox';
import ContentLayout from '@cloudscape-design/components/content-layout';
import Header from '@cloudscape-design/components/header';
import { useRef, useState } from 'react';
import { useApi } from '../../../api.ts';
import { PageLink } from '../../../components/page-link.tsx';
import { ProblemView } from '../../../components/problem-view.tsx';
import { RecordForm } from '../../../components/record-form.tsx';
import { divideProblem } from '../../../field-problems.ts';
import { focusFirstProblem } from '../../../focus-first-problem.ts';
import { replaceLocation } from '../../../location.ts';
import { notify } from '../../../notices.ts';
import { useMay } from '../../../use-may.ts';
import { type Incident, incidentPath } from '../incident-words.ts';
import { creationOf, emptyDraft, isDraftField, problemsOf } from './incident-draft.ts';
import { IncidentFields } from './incident-fields.tsx';
import { SuggestButton } from './suggest-button.tsx';
import { useKnownValues } from './use-known-values.ts';

export function CreateIncidentPage() {
  const mayWrite = useMay('itsm_agent');
  useKnownValues();
  return (
    <ContentLayout
      header={
        <Header variant="h1" description="The incident starts in the New state and its SLA clock starts immediately.">
          Create incident
        </Header>
      }
    >
      {mayWrite ? (
        <CreationForm />
      ) : (
        <ProblemView problem={new Error('You need the Agent role to create incidents.')} />
      )}
    </ContentLayout>
  );
}

function CreationForm() {
  const form = useRef<HTMLFormElement>(null);
  const [draft, setDraft] = useState(emptyDraft);
  const [notifying, setNotifying] = useState(false);
  const [checked, setChecked] = useState(false);
  const creation = useCreation();
  const { byField, rest } = divideProblem(creation.problem, isDraftField);
  const submit = async () => {
    setChecked(true);
    const complete = Object.keys(problemsOf(draft)).length === 0;
    const body = { ...creationOf(draft), notify_stakeholders: notifying };
    if (!complete || !(await creation.create(body))) focusFirstProblem(form.current);
  };
  return (
    <RecordForm
      ref={form}
      submitText="Create incident"
      onSubmit={submit}
      saving={creation.saving}
      cancelTo="/incidents"
    >
      {rest !== undefined && <ProblemView problem={rest} />}
      <IncidentFields
        draft={draft}
        problems={{ ...(checked ? problemsOf(draft) : {}), ...byField }}
        onChange={(field, value) => {
          setDraft((before) => ({ ...before, [field]: value }));
          creation.begin();
        }}
      >
        <SuggestButton
          draft={draft}
          onSuggest={(values) => {
            setDraft((before) => ({ ...before, ...values }));
            creation.begin();
          }}
        />
        <Checkbox
          checked={notifying}
          onChange={({ detail }) => setNotifying(detail.checked)}
          description="Notifies the assignment group and everyone who follows it."
        >
          Notify stakeholders
        </Checkbox>
      </IncidentFields>
    </RecordForm>
  );
}

type Creation = ReturnType<typeof creationOf> & { notify_stakeholders: boolean };

/** One key for one content: pressing the button again after a lost answer does not create a second incident. */
function useCreation() {
  const { client } = useApi();
  const [key, setKey] = useState(() => crypto.randomUUID());
  const [state, setState] = useState<{ saving: boolean; problem?: unknown }>({ saving: false });
  const create = async (creation: Creation): Promise<boolean> => {
    setState({ saving: true });
    try {
      const incident = await client.createIncident(creation, { idempotencyKey: key });
      announce(incident);
      replaceLocation(incidentPath(incident.id));
      return true;
    } catch (problem) {
      setState({ saving: false, problem });
      return false;
    }
  };
  const begin = () => {
    setState({ saving: false });
    setKey(crypto.randomUUID());
  };
  return { saving: state.saving, problem: state.problem, create, begin };
}

function announce({ id, short_description }: Incident): void {
  const link = (
    <PageLink to={incidentPath(id)} fontSize="inherit" color="inverted">
      {id}
    </PageLink>
  );
  notify({
    type: 'success',
    content: (
      <span className="wrapping">
        {link} was created: {short_description}
      </span>
    ),
  });
}
