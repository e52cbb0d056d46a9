import type { ServiceClient } from '../../../client/index.ts';
import { Email } from '../../components/email.tsx';
import { approvalFacts, noValue } from '../../records/approval-facts.tsx';
import { type ApprovalApi, ApprovalPage } from '../../records/approval-page.tsx';
import { ApprovalState } from '../../records/state-look.tsx';
import { requestList, requestWords, type ServiceRequest, stateNames, steps } from './request-words.ts';

export function RequestPage({ id }: { id: string }) {
  return (
    <ApprovalPage<ServiceRequest>
      id={id}
      words={requestWords}
      listTo={requestList}
      api={apiOf}
      steps={({ state }) => steps[state]}
      owners={({ requested_by, requested_for }) => [requested_by, requested_for]}
      labels={({ state }) => <ApprovalState state={state} names={stateNames} />}
      facts={factsOf}
    />
  );
}

const apiOf = (client: ServiceClient, id: string): ApprovalApi<ServiceRequest> => ({
  get: (options) => client.getRequest.withResponse({ id }, options),
  history: (page, options) => client.listRequestHistory({ id, ...page }, options),
  decide: (verdict, body, options) => client[`${verdict}Request`].withResponse({ id }, body, options),
  enter: (state, options) =>
    client.updateRequest.withResponse({ id }, { state: state as ServiceRequest['state'] }, options),
  remove: (options) => client.deleteRequest({ id }, options),
});

function factsOf(request: ServiceRequest) {
  const { item, quantity, requested_for } = request;
  return [
    { label: 'State', value: <ApprovalState state={request.state} names={stateNames} /> },
    { label: 'Item', value: item ?? noValue },
    { label: 'Quantity', value: quantity },
    { label: 'Requested for', value: requested_for ? <Email address={requested_for} /> : noValue },
    ...approvalFacts(request),
  ];
}
