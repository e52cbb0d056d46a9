import { useApi } from '../../base/api.ts';
import { useCaller } from '../../base/caller.tsx';
import { ageColumn, linkColumn, personColumn, stateColumn, summaryColumn } from '../../records/columns.tsx';
import { RecordList } from '../../records/record-list.tsx';
import type { RecordColumn } from '../../records/record-table.tsx';
import {
  requestList,
  requestListSpec,
  requestPath,
  requestWords,
  type ServiceRequest,
  stateNames,
} from '../../resources/request-words.ts';
import { noValue } from '../../ui/text.tsx';

export function RequestListPage() {
  const { client } = useApi();
  const { data: caller } = useCaller();
  return (
    <RecordList
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
      createRole="viewer"
      invitation="Create a request for equipment, access or services."
    />
  );
}

const columns: readonly RecordColumn<ServiceRequest>[] = [
  linkColumn('id', 'ID', requestPath),
  summaryColumn(requestPath),
  stateColumn(stateNames),
  {
    id: 'item',
    header: 'Item',
    minWidth: 160,
    cell: ({ item, quantity }) => (quantity === 1 ? (item ?? noValue) : `${quantity} × ${item ?? 'see description'}`),
    wide: true,
  },
  personColumn('requested_for', 'Requested for', { minWidth: 148, wide: true }),
  personColumn('requested_by', 'Requested by', { minWidth: 148, wide: true }),
  ageColumn('created_at', 'Created', { wide: true }),
  ageColumn('updated_at', 'Updated', { wide: true }),
];
