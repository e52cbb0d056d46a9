import { useApi } from '../../app/api.ts';
import { useHasRole } from '../../app/caller.tsx';
import { type RecordColumn, RecordList } from '../../records/record-list.tsx';
import { PageButton, PageLink } from '../../ui/links.tsx';
import { Ago, noValue } from '../../ui/text.tsx';
import { CiStatusLabel } from './ci-links.tsx';
import { type Ci, ciList, ciListSpec, ciPath, ciWords } from './ci-words.ts';

export function CiListPage() {
  const { client } = useApi();
  const canImport = useHasRole('itsm_manager');
  return (
    <RecordList
      title="Configuration items"
      things="configuration items"
      words={ciWords}
      spec={ciListSpec}
      columns={columns}
      load={(request, signal) => client.listCis(request as object, { signal })}
      views={[
        { id: 'all', text: 'All', filters: {} },
        { id: 'trouble', text: 'Degraded or down', filters: { status: 'degraded,down' } },
        { id: 'services', text: 'Services', filters: { class: 'service' } },
      ]}
      createTo={`${ciList}/new`}
      createText="Add item"
      actions={canImport && <PageButton to={`${ciList}/import`}>Import items</PageButton>}
      invitation="Add items manually, import them, or send them from a discovery tool (POST /cmdb/cis/bulk)."
    />
  );
}

const columns: readonly RecordColumn<Ci>[] = [
  {
    id: 'name',
    header: 'Name',
    isRowHeader: true,
    minWidth: 140,
    cell: ({ id, name }) => <PageLink to={ciPath(id)}>{name}</PageLink>,
  },
  { id: 'class', header: 'Class', minWidth: 110, cell: (ci) => ci.class },
  {
    id: 'status',
    header: 'Status',
    minWidth: 130,
    sortingField: 'status',
    cell: ({ status }) => <CiStatusLabel status={status} />,
  },
  { id: 'environment', header: 'Environment', cell: ({ environment }) => environment ?? noValue, wide: true },
  { id: 'owner', header: 'Owner', cell: ({ owner }) => owner ?? noValue, wide: true },
  { id: 'location', header: 'Location', cell: ({ location }) => location ?? noValue, wide: true },
  { id: 'id', header: 'ID', minWidth: 110, cell: ({ id }) => id, wide: true },
  {
    id: 'updated_at',
    header: 'Updated',
    sortingField: 'updated_at',
    cell: ({ updated_at }) => <Ago at={updated_at} />,
    wide: true,
  },
];
