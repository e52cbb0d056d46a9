import { openProblemStates } from '../../../contract/states.ts';
import { useApi } from '../../base/api.ts';
import { useCaller } from '../../base/caller.tsx';
import { useLoad } from '../../base/use-load.ts';
import { ageColumn, linkColumn, personColumn, stateColumn, summaryColumn, textColumn } from '../../records/columns.tsx';
import { RecordList } from '../../records/record-list.tsx';
import type { RecordColumn } from '../../records/record-table.tsx';
import { PriorityBadge } from '../../resources/incident-labels.tsx';
import {
  type Problem,
  problemList,
  problemListSpec,
  problemPath,
  problemWords,
  stateNames,
} from '../../resources/problem-words.ts';
import { Badge, Box } from '../../ui/kit/index.ts';
import { Panel } from '../../ui/layouts.tsx';
import { PageLink } from '../../ui/links.tsx';
import { noValue } from '../../ui/text.tsx';

const openStates = openProblemStates.join(',');

export function ProblemListPage() {
  const { client } = useApi();
  const { data: caller } = useCaller();
  return (
    <>
      <RecordList
        things="problems"
        words={problemWords}
        spec={problemListSpec}
        columns={columns}
        load={(request, signal) => client.listProblems(request as object, { signal })}
        views={[
          { id: 'open', text: 'Open', filters: { state: openStates } },
          { id: 'known', text: 'Known errors', filters: { known_error: 'true', state: openStates } },
          ...(caller ? [{ id: 'mine', text: 'Assigned to me', filters: { assigned_to: caller.email } }] : []),
          { id: 'all', text: 'All', filters: {} },
        ]}
        createTo={`${problemList}/new`}
        invitation="Create a problem for the cause of several incidents."
      />
      <Candidates />
    </>
  );
}

/** Groups of similar incidents that no problem explains. */
function Candidates() {
  const { client } = useApi();
  const { data } = useLoad(['problems', 'candidates'], (signal) =>
    client.findProblemCandidates({}, { signal, retries: 0 }),
  );
  if (!data || data.candidates.length === 0) return null;
  return (
    <Panel title="Candidates for problems">
      <ul className="points" aria-label="Candidates for problems">
        {data.candidates.slice(0, 5).map(({ short_description, incident_ids, reason }) => (
          <li key={incident_ids[0]}>
            <PageLink to={`${problemList}/new?incidents=${incident_ids.slice(0, 100).join(',')}`}>
              {short_description}
            </PageLink>{' '}
            <Box muted small>
              {reason}
            </Box>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

const columns: readonly RecordColumn<Problem>[] = [
  linkColumn('id', 'ID', problemPath),
  summaryColumn(problemPath),
  {
    id: 'priority',
    header: 'Priority',
    sortingField: 'priority',
    minWidth: 94,
    cell: ({ priority }) => <PriorityBadge priority={priority} />,
  },
  stateColumn(stateNames, 168),
  {
    id: 'known_error',
    header: 'Known error',
    minWidth: 110,
    cell: ({ known_error }) => (known_error ? <Badge tone="orange">Known error</Badge> : noValue),
    wide: true,
  },
  textColumn('assignment_group', 'Group', { minWidth: 132, wide: true }),
  personColumn('assigned_to', 'Assignee', { minWidth: 148, wide: true }),
  ageColumn('updated_at', 'Updated', { wide: true }),
];
