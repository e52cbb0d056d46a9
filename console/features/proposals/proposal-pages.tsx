import type { ServiceClient } from '../../../client/index.ts';
import { useApi } from '../../base/api.ts';
import { type ApprovalApi, ApprovalPage, approvalFacts } from '../../records/approval.tsx';
import { ApprovalState } from '../../records/approval-state.tsx';
import { ageColumn, linkColumn, personColumn } from '../../records/columns.tsx';
import { RecordList } from '../../records/record-list.tsx';
import type { RecordColumn } from '../../records/record-table.tsx';
import type { RecordResponse } from '../../records/use-record.ts';
import {
  type Proposal,
  proposalList,
  proposalListSpec,
  proposalPath,
  proposalWords,
  stateNames,
  summarize,
} from '../../resources/proposal-words.ts';
import { Alert } from '../../ui/kit/index.ts';
import { PageLink } from '../../ui/links.tsx';
import { toRecordPath } from '../../ui/record-path.ts';
import { noValue } from '../../ui/text.tsx';

export function ProposalListPage() {
  const { client } = useApi();
  return (
    <RecordList
      title="Proposals"
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
  {
    id: 'state',
    header: 'State',
    minWidth: 128,
    cell: ({ state }) => <ApprovalState state={state} names={stateNames} />,
  },
  personColumn('requested_by', 'Proposed by', { wide: true }),
  ageColumn('created_at', 'Created', { wide: true }),
];

interface ShownProposal extends Proposal {
  short_description: string;
}

export function ProposalPage({ id }: { id: string }) {
  return (
    <ApprovalPage<ShownProposal>
      id={id}
      words={proposalWords}
      listTo={proposalList}
      api={createApi}
      approverRole="itsm_agent"
      steps={() => ({})}
      owners={({ requested_by }) => [requested_by]}
      labels={({ state }) => <ApprovalState state={state} names={stateNames} />}
      facts={listFacts}
      texts={({ evidence, body }) => [
        { title: 'Evidence', text: evidence },
        { title: 'Proposed values', text: `\`\`\`json\n${JSON.stringify(body, null, 2)}\n\`\`\`` },
      ]}
      notice={({ error }) =>
        error && (
          <Alert type="error" header="The change was approved but could not be applied">
            {error.detail}
          </Alert>
        )
      }
    />
  );
}

const createApi = (client: ServiceClient, id: string): ApprovalApi<ShownProposal> => ({
  get: async (options) => toShown(await client.getProposal.withResponse({ id }, options)),
  history: (page, options) => client.listProposalHistory({ id, ...page }, options),
  decide: async (verdict, body, options) =>
    toShown(await client[`${verdict}Proposal`].withResponse({ id }, body, options)),
});

function toShown({ data, ...rest }: RecordResponse<Proposal>): RecordResponse<ShownProposal> {
  return { ...rest, data: data && { ...data, short_description: summarize(data) } };
}

function listFacts(proposal: ShownProposal) {
  const { record_id, if_match, state } = proposal;
  const path = record_id === null ? undefined : toRecordPath(record_id);
  return [
    { label: 'State', value: <ApprovalState state={state} names={stateNames} /> },
    { label: 'Record', value: path ? <PageLink to={path}>{record_id}</PageLink> : noValue },
    ...(if_match === null ? [] : [{ label: 'Version of the record', value: if_match }]),
    ...approvalFacts(proposal),
  ];
}
