import { useApi } from '../../base/api.ts';
import { useHasRole } from '../../base/caller.tsx';
import { ageColumn, linkColumn, textColumn } from '../../records/columns.tsx';
import { RecordList } from '../../records/record-list.tsx';
import type { RecordColumn } from '../../records/record-table.tsx';
import { CiStatusLabel } from '../../resources/ci-links.tsx';
import { type Ci, ciList, ciListSpec, ciPath, ciWords } from '../../resources/ci-words.ts';
import { Button } from '../../ui/kit/index.ts';

export function CiListPage() {
  const { client } = useApi();
  const canImport = useHasRole('itsm_manager');
  return (
    <RecordList
      things="configuration items"
      words={ciWords}
      spec={ciListSpec}
      columns={columns}
      load={(request, signal) => client.listCis(request as object, { signal })}
      views={[
        { id: 'all', text: 'All', filters: {} },
        { id: 'unhealthy', text: 'Degraded or down', filters: { status: 'degraded,down' } },
        { id: 'services', text: 'Services', filters: { class: 'service' } },
      ]}
      createTo={`${ciList}/new`}
      createText="Add item"
      actions={canImport && <Button to={`${ciList}/import`}>Import items</Button>}
      invitation="Add items manually, import them, or send them from a discovery tool (POST /cmdb/cis/bulk)."
    />
  );
}

const columns: readonly RecordColumn<Ci>[] = [
  linkColumn('name', 'Name', ciPath, { minWidth: 140 }),
  textColumn('class', 'Class', { minWidth: 110 }),
  {
    id: 'status',
    header: 'Status',
    minWidth: 130,
    sortingField: 'status',
    cell: ({ status }) => <CiStatusLabel status={status} />,
  },
  textColumn('environment', 'Environment', { wide: true }),
  textColumn('owner', 'Owner', { wide: true }),
  textColumn('location', 'Location', { wide: true }),
  textColumn('id', 'ID', { minWidth: 110, wide: true }),
  ageColumn('updated_at', 'Updated', { wide: true }),
];
