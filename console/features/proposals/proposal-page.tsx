import type { ServiceClient } from '../../../client/index.ts';
import { type ApprovalApi, ApprovalPage, approvalFacts } from '../../records/approval.tsx';
import { ApprovalState } from '../../records/approval-state.tsx';
import type { RecordResponse } from '../../records/use-record.ts';
import { type Proposal, proposalList, proposalWords, stateNames, summarize } from '../../resources/proposal-words.ts';
import { Alert } from '../../ui/kit/index.ts';
import { PageLink } from '../../ui/links.tsx';
import { toRecordPath } from '../../ui/record-path.ts';
import { noValue } from '../../ui/text.tsx';

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
