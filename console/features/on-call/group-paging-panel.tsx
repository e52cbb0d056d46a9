import type { EscalationPolicy, GroupPaging } from '../../../contract/escalation-policies.ts';
import { priorities } from '../../../contract/states.ts';
import { useApi } from '../../base/api.ts';
import { useHasRole } from '../../base/caller.tsx';
import { useLoad } from '../../base/use-load.ts';
import { useDirectory } from '../../records/directory.ts';
import { type Column, Select, Table } from '../../ui/kit/index.ts';
import { Panel } from '../../ui/layouts.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { useAction } from '../../ui/use-action.ts';

const off = { value: '', label: 'Page nobody' };

const defaultPriorities: GroupPaging['priorities'] = ['P1', 'P2'];

/** The policy of each group, and the priorities that page. */
export function GroupPagingPanel({ policies }: { policies: readonly EscalationPolicy[] }) {
  const { client } = useApi();
  const isManager = useHasRole('itsm_manager');
  const { groups = { data: [] } } = useDirectory();
  const { data, problem, reload } = useLoad(['group-paging'], (signal) => client.getAllGroupPaging({}, { signal }));
  const action = useAction();
  const known = new Map((data?.groups ?? []).map((paging) => [paging.group, paging]));
  const names = [...new Set([...groups.data.map(({ name }) => name), ...known.keys()])].sort();
  const rows = names.map(
    (group): Row => known.get(group) ?? { group, escalation_policy_id: null, priorities: defaultPriorities },
  );
  const save = ({ group, escalation_policy_id, priorities: paged }: Row) =>
    action.run(async () => {
      await client.putGroupPaging({ name: group }, { escalation_policy_id, priorities: [...paged] });
      reload();
    });
  const options = [off, ...policies.map(({ id, name }) => ({ value: id, label: name }))];
  const columns: readonly Column<Row>[] = [
    { id: 'group', header: 'Group', isRowHeader: true, minWidth: 110, cell: ({ group }) => group },
    {
      id: 'policy',
      header: 'Policy',
      minWidth: 150,
      cell: (row) => {
        const chosen = options.find(({ value }) => value === (row.escalation_policy_id ?? '')) ?? off;
        if (!isManager) return chosen.label;
        return (
          <Select
            value={chosen.value}
            options={options}
            ariaLabel={`Policy of ${row.group}`}
            onChange={(value) => save({ ...row, escalation_policy_id: value || null })}
          />
        );
      },
    },
    {
      id: 'priorities',
      header: 'Pages for',
      minWidth: 110,
      cell: (row) => {
        if (!isManager || row.escalation_policy_id === null) return row.priorities.join(', ');
        // Priorities page from P1 down to the chosen one.
        const chosen = priorities.findLast((each) => row.priorities.includes(each)) ?? 'P2';
        return (
          <Select
            value={chosen}
            options={priorities.map(toRange)}
            ariaLabel={`Priorities of ${row.group}`}
            onChange={(value) => {
              const last = priorities.indexOf(value as Row['priorities'][number]);
              save({ ...row, priorities: priorities.slice(0, last + 1) });
            }}
          />
        );
      },
    },
  ];
  return (
    <Panel title="Groups" description="Which incidents of a group page somebody.">
      {problem !== undefined && <ProblemView problem={problem} onRetry={reload} />}
      {action.problem !== undefined && <ProblemView problem={action.problem} />}
      <Table items={rows} trackBy="group" columns={columns} label="Paging of groups" empty="There is no group yet." />
    </Panel>
  );
}

interface Row extends Pick<GroupPaging, 'group' | 'escalation_policy_id'> {
  priorities: readonly GroupPaging['priorities'][number][];
}

function toRange(priority: (typeof priorities)[number]) {
  return { value: priority, label: priority === 'P1' ? 'P1' : `P1 to ${priority}` };
}
