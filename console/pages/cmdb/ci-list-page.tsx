import { useCallback } from 'react';
import { useApi } from '../../api.ts';
import { Ago } from '../../components/moment.tsx';
import { PageButton } from '../../components/page-button.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { noValue } from '../../records/approval-facts.tsx';
import { type ListRequest, type RecordColumn, RecordList } from '../../records/record-list.tsx';
import { useMay } from '../../use-may.ts';
import { CiStatusLabel } from './ci-status.tsx';
import { type Ci, ciList, ciListSpec, ciPath, ciWords } from './ci-words.ts';

export function CiListPage() {
  const { client } = useApi();
  const mayAddMany = useMay('itsm_manager');
  const load = useCallback(
    (request: ListRequest, signal: AbortSignal) => client.listCis(request as object, { signal }),
    [client],
  );
  return (
    <RecordList
      title="Configuration items"
      things="configuration items"
      words={ciWords}
      spec={ciListSpec}
      columns={columns}
      load={load}
      views={[
        { id: 'all', text: 'All', filters: {} },
        { id: 'trouble', text: 'Degraded or down', filters: { status: 'degraded,down' } },
        { id: 'services', text: 'Services', filters: { class: 'service' } },
      ]}
      createTo={`${ciList}/new`}
      createText="Add item"
      actions={mayAddMany && <PageButton to={`${ciList}/import`}>Import items</PageButton>}
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
