import { useApi } from '../../base/api.ts';
import { useCaller } from '../../base/caller.tsx';
import { ageColumn, linkColumn, personColumn, stateColumn, summaryColumn, textColumn } from '../../records/columns.tsx';
import { RecordList } from '../../records/record-list.tsx';
import type { RecordColumn } from '../../records/record-table.tsx';
import { RiskBadge } from '../../resources/change-labels.tsx';
import {
  type Change,
  changeList,
  changeListSpec,
  changePath,
  changeWords,
  stateNames,
} from '../../resources/change-words.ts';
import { Button } from '../../ui/kit/index.ts';
import { noValue, PlannedTime } from '../../ui/text.tsx';

export function ChangeListPage() {
  const { client } = useApi();
  const { data: caller } = useCaller();
  return (
    <RecordList
      things="changes"
      words={changeWords}
      spec={changeListSpec}
      columns={columns}
      load={(request, signal) => client.listChanges(request as object, { signal })}
      views={[
        { id: 'all', text: 'All', filters: {} },
        { id: 'waiting', text: 'Awaiting approval', filters: { state: 'submitted' } },
        { id: 'ahead', text: 'Ready to implement', filters: { state: 'approved,implementing' } },
        ...(caller ? [{ id: 'mine', text: 'Requested by me', filters: { requested_by: caller.email } }] : []),
      ]}
      createTo={`${changeList}/new`}
      actions={
        <Button to={`${changeList}/calendar`} icon="calendar">
          Calendar
        </Button>
      }
      invitation="Create a change to plan and announce work on your systems."
    />
  );
}

const columns: readonly RecordColumn<Change>[] = [
  linkColumn('id', 'ID', changePath),
  summaryColumn(changePath),
  stateColumn(stateNames),
  {
    id: 'risk',
    header: 'Risk',
    minWidth: 90,
    sortingField: 'risk',
    cell: ({ risk }) => <RiskBadge risk={risk} />,
    wide: true,
  },
  {
    id: 'planned_start',
    header: 'Planned start',
    sortingField: 'planned_start',
    minWidth: 200,
    cell: ({ planned_start }) => (planned_start ? <PlannedTime at={planned_start} /> : noValue),
    wide: true,
  },
  textColumn('assignment_group', 'Group', { minWidth: 132, wide: true }),
  personColumn('requested_by', 'Requested by', { minWidth: 148, wide: true }),
  ageColumn('updated_at', 'Updated', { wide: true }),
];
