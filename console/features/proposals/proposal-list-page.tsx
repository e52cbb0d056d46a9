import { useApi } from '../../base/api.ts';
import { ageColumn, linkColumn, personColumn, stateColumn } from '../../records/columns.tsx';
import { RecordList } from '../../records/record-list.tsx';
import type { RecordColumn } from '../../records/record-table.tsx';
import {
  type Proposal,
  proposalListSpec,
  proposalPath,
  proposalWords,
  stateNames,
  summarize,
} from '../../resources/proposal-words.ts';

export function ProposalListPage() {
  const { client } = useApi();
  return (
    <RecordList
      things="proposals"
      words={proposalWords}
      spec={proposalListSpec}
      columns={columns}
      load={(request, signal) => client.listProposals(request as object, { signal })}
      views={[
        { id: 'pending', text: 'Awaiting approval', filters: { state: 'pending' } },
        { id: 'all', text: 'All', filters: {} },
      ]}
      invitation="Programs and agents propose changes here with POST /proposals. Nothing changes until you approve."
    />
  );
}

const columns: readonly RecordColumn<Proposal>[] = [
  linkColumn('id', 'ID', proposalPath),
  { id: 'operation', header: 'Proposed change', minWidth: 180, cell: summarize },
  stateColumn(stateNames),
  personColumn('requested_by', 'Proposed by', { wide: true }),
  ageColumn('created_at', 'Created', { wide: true }),
];
