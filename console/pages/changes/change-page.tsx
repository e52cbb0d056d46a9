import type { ServiceClient } from '../../../client/index.ts';
import { Email } from '../../components/email.tsx';
import { Moment } from '../../components/moment.tsx';
import { approvalFacts, noValue } from '../../records/approval-facts.tsx';
import { type ApprovalApi, ApprovalPage } from '../../records/approval-page.tsx';
import { CiLinks } from '../cmdb/ci-links.tsx';
import { ChangeState, RiskBadge } from './change-labels.tsx';
import { type Change, changeList, changeWords, steps } from './change-words.ts';

export function ChangePage({ id }: { id: string }) {
  return (
    <ApprovalPage<Change>
      id={id}
      words={changeWords}
      listTo={changeList}
      api={apiOf}
      steps={({ state }) => steps[state]}
      owners={({ requested_by }) => [requested_by]}
      labels={({ state }) => <ChangeState state={state} />}
      facts={factsOf}
    />
  );
}

const apiOf = (client: ServiceClient, id: string): ApprovalApi<Change> => ({
  get: (options) => client.getChange.withResponse({ id }, options),
  history: (page, options) => client.listChangeHistory({ id, ...page }, options),
  decide: (verdict, body, options) => client[`${verdict}Change`].withResponse({ id }, body, options),
  enter: (state, options) => client.updateChange.withResponse({ id }, { state: state as Change['state'] }, options),
  remove: (options) => client.deleteChange({ id }, options),
});

function factsOf(change: Change) {
  const { planned_start, planned_end, assigned_to, assignment_group, ci_ids } = change;
  return [
    { label: 'State', value: <ChangeState state={change.state} /> },
    { label: 'Risk', value: <RiskBadge risk={change.risk} /> },
    { label: 'Type', value: changeWords.values.type![change.type] },
    { label: 'Planned start', value: planned_start ? <Moment at={planned_start} /> : noValue },
    { label: 'Planned end', value: planned_end ? <Moment at={planned_end} /> : noValue },
    { label: 'Assignment group', value: assignment_group ?? noValue },
    { label: 'Assigned to', value: assigned_to ? <Email address={assigned_to} /> : noValue },
    { label: 'Configuration items', value: ci_ids.length > 0 ? <CiLinks ids={ci_ids} /> : noValue },
    ...approvalFacts(change),
  ];
}
