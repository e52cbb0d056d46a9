import { approvedRequestFields, requestTransitions } from '../../../contract/states.ts';
import { useQueryString } from '../../base/router.ts';
import { ApprovalPage, approvalFacts, createFieldLock, createRecordApi, toSteps } from '../../records/approval.tsx';
import { ApprovalState } from '../../records/approval-state.tsx';
import { CreateRecordPage, EditRecordPage } from '../../records/record-editor.tsx';
import { addPlainFacts } from '../../records/record-page.tsx';
import { slaFacts } from '../../resources/incident-labels.tsx';
import {
  requestKind,
  requestList,
  requestWords,
  type ServiceRequest,
  stateNames,
  stepTexts,
} from '../../resources/request-words.ts';
import { noValue, Person } from '../../ui/text.tsx';
import { requestControls } from './request-controls.tsx';

export function RequestPage({ id }: { id: string }) {
  return (
    <ApprovalPage<ServiceRequest>
      id={id}
      words={requestWords}
      listTo={requestList}
      api={createApi}
      steps={({ state }) => toSteps(requestTransitions[state], stepTexts)}
      owners={({ requested_by, requested_for }) => [requested_by, requested_for]}
      labels={({ state }) => <ApprovalState state={state} names={stateNames} />}
      facts={listFacts}
    />
  );
}

const createApi = createRecordApi<ServiceRequest>('Request');

function listFacts(request: ServiceRequest) {
  const { item, quantity, requested_for } = request;
  const facts = [
    { label: 'State', value: <ApprovalState state={request.state} names={stateNames} /> },
    { label: 'Item', value: item ?? noValue },
    { label: 'Quantity', value: quantity },
    { label: 'Requested for', value: requested_for ? <Person address={requested_for} /> : noValue },
  ];
  return [
    ...addPlainFacts(facts, request, requestKind.fields, requestWords),
    ...slaFacts(request),
    ...approvalFacts(request),
  ];
}

/** A tile of the catalog names the item. */
export function CreateRequestPage() {
  const item = new URLSearchParams(useQueryString()).get('item') ?? '';
  return (
    <CreateRecordPage
      kind={requestKind}
      title="Create request"
      description="A manager other than you and the person it is for must approve this request."
      controls={requestControls}
      minRole="viewer"
      given={{ item, short_description: item === '' ? '' : `Request: ${item}` }}
      submitText="Submit request"
    />
  );
}

export function EditRequestPage({ id }: { id: string }) {
  return <EditRecordPage<ServiceRequest> kind={requestKind} id={id} controls={requestControls} fixed={fixed} />;
}

const fixed = createFieldLock(approvedRequestFields, requestWords.thing);
