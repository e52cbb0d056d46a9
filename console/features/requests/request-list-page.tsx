import { useApi } from '../../app/api.ts';
import { useCaller } from '../../app/caller.tsx';
import { ApprovalState } from '../../records/approval.tsx';
import { type RecordColumn, RecordList } from '../../records/record-list.tsx';
import { PageLink } from '../../ui/links.tsx';
import { Ago, noValue, Person } from '../../ui/text.tsx';
import {
  requestList,
  requestListSpec,
  requestPath,
  requestWords,
  type ServiceRequest,
  stateNames,
} from './request-words.ts';

export function RequestListPage() {
  const { client } = useApi();
  const { data: caller } = useCaller();
  return (
    <RecordList
      title="Service requests"
      things="service requests"
      words={requestWords}
      spec={requestListSpec}
      columns={columns}
      load={(request, signal) => client.listRequests(request as object, { signal })}
      views={[
        { id: 'all', text: 'All', filters: {} },
        { id: 'waiting', text: 'Awaiting approval', filters: { state: 'submitted' } },
        { id: 'approved', text: 'Ready to fulfill', filters: { state: 'approved' } },
        ...(caller ? [{ id: 'mine', text: 'Requested by me', filters: { requested_by: caller.email } }] : []),
      ]}
      createTo={`${requestList}/new`}
      invitation="Create a request for equipment, access or services."
    />
  );
}

const columns: readonly RecordColumn<ServiceRequest>[] = [
  {
    id: 'id',
    header: 'ID',
    isRowHeader: true,
    minWidth: 118,
    cell: ({ id }) => <PageLink to={requestPath(id)}>{id}</PageLink>,
  },
  { id: 'short_description', header: 'Short description', minWidth: 180, cell: (request) => request.short_description },
  {
    id: 'state',
    header: 'State',
    minWidth: 128,
    cell: ({ state }) => <ApprovalState state={state} names={stateNames} />,
  },
  {
    id: 'item',
    header: 'Item',
    cell: ({ item, quantity }) => (quantity === 1 ? (item ?? noValue) : `${quantity} × ${item ?? 'see description'}`),
    wide: true,
  },
  {
    id: 'requested_for',
    header: 'Requested for',
    cell: ({ requested_for }) => (requested_for ? <Person address={requested_for} /> : noValue),
    wide: true,
  },
  {
    id: 'requested_by',
    header: 'Requested by',
    cell: (request) => <Person address={request.requested_by} />,
    wide: true,
  },
  {
    id: 'created_at',
    header: 'Created',
    sortingField: 'created_at',
    cell: (request) => <Ago at={request.created_at} />,
    wide: true,
  },
  {
    id: 'updated_at',
    header: 'Updated',
    sortingField: 'updated_at',
    cell: (request) => <Ago at={request.updated_at} />,
    wide: true,
  },
];
