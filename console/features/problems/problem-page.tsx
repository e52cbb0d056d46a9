import { openIncidentStates, problemTransitions } from '../../../contract/states.ts';
import { useApi } from '../../base/api.ts';
import { useQueryString } from '../../base/router.ts';
import { useLoad } from '../../base/use-load.ts';
import { ApprovalPage, createRecordApi, toSteps } from '../../records/approval.tsx';
import { ApprovalState } from '../../records/approval-state.tsx';
import { CreateRecordPage, EditRecordPage } from '../../records/record-editor.tsx';
import { CiLinks } from '../../resources/ci-links.tsx';
import { incidentControls } from '../../resources/incident-controls.tsx';
import { PriorityBadge, StateLabel } from '../../resources/incident-labels.tsx';
import { incidentPath } from '../../resources/incident-words.ts';
import {
  type Problem,
  problemKind,
  problemList,
  problemWords,
  stateNames,
  stepTexts,
} from '../../resources/problem-words.ts';
import { formatCount } from '../../ui/count.ts';
import { Badge, Box, Stack } from '../../ui/kit/index.ts';
import { Panel } from '../../ui/layouts.tsx';
import { PageLink } from '../../ui/links.tsx';
import { Ago, noValue, Person } from '../../ui/text.tsx';
import { followJob } from '../jobs/follow-job.tsx';
import { LinksPanel } from './links-panel.tsx';
import { ResolveTogether } from './resolve-together.tsx';

export function ProblemPage({ id }: { id: string }) {
  return (
    <ApprovalPage<Problem>
      id={id}
      words={problemWords}
      listTo={problemList}
      api={createApi}
      steps={({ state }) => toSteps(problemTransitions[state], stepTexts)}
      owners={() => []}
      labels={({ state, known_error }) => (
        <>
          <ApprovalState state={state} names={stateNames} />
          {known_error && <Badge tone="orange">Known error</Badge>}
        </>
      )}
      facts={listFacts}
      texts={({ workaround, root_cause }) => [
        { title: 'Workaround', text: workaround },
        { title: 'Root cause', text: root_cause },
      ]}
      related={(problem) => <ProblemIncidents problem={problem} />}
    />
  );
}

const createApi = createRecordApi<Problem>('Problem');

function ProblemIncidents({ problem: { id, state } }: { problem: Problem }) {
  const { client } = useApi();
  const { data, reload } = useLoad(['problem', id, 'incidents'], (signal) =>
    client.listProblemIncidents({ id, limit: 200 }, { signal }),
  );
  if (!data) return null;
  const open = data.data
    .filter((incident) => openIncidentStates.includes(incident.state))
    .map((incident) => incident.id);
  const isResolved = state === 'resolved' || state === 'closed';
  return (
    <Stack>
      {isResolved && (
        <ResolveTogether
          ids={open}
          what={open.length === 1 ? 'incident of this problem' : 'incidents of this problem'}
          note={`Resolved with problem ${id}.`}
          onDone={reload}
        />
      )}
      <Panel title={`Incidents (${data.total})`}>
        {data.total === 0 && <Box muted>No incident refers to this problem.</Box>}
        <ul className="points" aria-label="Incidents of this problem">
          {data.data.slice(0, 10).map((incident) => (
            <li key={incident.id}>
              <PageLink to={incidentPath(incident.id)}>{incident.id}</PageLink> {incident.short_description}{' '}
              <StateLabel state={incident.state} />
            </li>
          ))}
        </ul>
        {data.total > 10 && (
          <PageLink to={`/incidents?state=all&parent_problem_id=${id}`}>Show all {data.total} incidents</PageLink>
        )}
      </Panel>
      <LinksPanel kind="problem" id={id} />
    </Stack>
  );
}

function listFacts(problem: Problem) {
  const { assigned_to, assignment_group, ci_id, change_ids } = problem;
  return [
    { label: 'State', value: <ApprovalState state={problem.state} names={stateNames} /> },
    { label: 'Priority', value: <PriorityBadge priority={problem.priority} /> },
    { label: 'Known error', value: problem.known_error ? 'Yes' : 'No' },
    { label: 'Assignment group', value: assignment_group ?? noValue },
    { label: 'Assigned to', value: assigned_to ? <Person address={assigned_to} /> : noValue },
    { label: 'Configuration item', value: ci_id ? <CiLinks ids={[ci_id]} /> : noValue },
    {
      label: 'Related changes',
      value:
        change_ids.length > 0
          ? change_ids.map((id) => (
              <PageLink key={id} to={`/changes/${id}`}>
                {id}{' '}
              </PageLink>
            ))
          : noValue,
    },
    { label: 'Opened by', value: <Person address={problem.opened_by} /> },
    { label: 'Created', value: <Ago at={problem.created_at} /> },
    { label: 'Updated', value: <Ago at={problem.updated_at} /> },
    ...(problem.resolved_at ? [{ label: 'Resolved', value: <Ago at={problem.resolved_at} /> }] : []),
  ];
}

/** With `?incidents=`, the first one fills in the form, and all of them then belong to the new problem. */
export function CreateProblemPage() {
  const { client } = useApi();
  const ids = (new URLSearchParams(useQueryString()).get('incidents') ?? '').split(',').filter((id) => id !== '');
  const { data, problem } = useLoad(['problem', 'from', ...ids], async (signal) =>
    ids[0] === undefined ? null : client.getIncident({ id: ids[0] }, { signal }),
  );
  if (data === undefined && problem === undefined) return null;
  const { short_description = '', description, priority = 'P3', assignment_group, ci_id } = data ?? {};
  const given = {
    short_description,
    description: description ?? '',
    priority,
    assignment_group: assignment_group ?? '',
    ci_id: ci_id ?? '',
  };
  return (
    <CreateRecordPage
      kind={problemKind}
      title="Create problem"
      description={ids.length > 0 ? `${formatCount(ids.length, 'incident')} will belong to this problem.` : ''}
      controls={incidentControls}
      given={data ? given : {}}
      submitText="Create problem"
      onCreated={async (id) => {
        if (ids.length === 0) return;
        const fields = { parent_problem_id: id };
        const { job_id, total } = await client.bulkIncidents({ operation: 'update', ids, fields });
        void followJob(client, job_id, total, () => {});
      }}
    />
  );
}

export function EditProblemPage({ id }: { id: string }) {
  return <EditRecordPage kind={problemKind} id={id} controls={incidentControls} />;
}
