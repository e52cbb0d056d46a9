import { useCallback } from 'react';
import type { ServiceClient } from '../../../client/index.ts';
import { approvedRequestFields, requestTransitions } from '../../../contract/states.ts';
import { useApi } from '../../base/api.ts';
import { replaceLocation, useQueryString } from '../../base/router.ts';
import { type ApprovalApi, ApprovalPage, approvalFacts, createFieldLock, toSteps } from '../../records/approval.tsx';
import { ApprovalState } from '../../records/approval-state.tsx';
import { emptyDraft, toCreation } from '../../records/record-draft.ts';
import { EditRecordPage, RecordEditor } from '../../records/record-editor.tsx';
import { addPlainFacts } from '../../records/record-page.tsx';
import { slaFacts } from '../../resources/incident-labels.tsx';
import {
  requestFields,
  requestList,
  requestPath,
  requestSections,
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

const createApi = (client: ServiceClient, id: string): ApprovalApi<ServiceRequest> => ({
  get: (options) => client.getRequest.withResponse({ id }, options),
  history: (page, options) => client.listRequestHistory({ id, ...page }, options),
  notes: {
    list: (page, options) => client.listRequestNotes({ id, ...page }, options),
    add: (note) => client.createRequestNote({ id }, note),
  },
  decide: (verdict, body, options) => client[`${verdict}Request`].withResponse({ id }, body, options),
  enter: (state, options) =>
    client.updateRequest.withResponse({ id }, { state: state as ServiceRequest['state'] }, options),
  remove: (options) => client.deleteRequest({ id }, options),
});

function listFacts(request: ServiceRequest) {
  const { item, quantity, requested_for } = request;
  const facts = [
    { label: 'State', value: <ApprovalState state={request.state} names={stateNames} /> },
    { label: 'Item', value: item ?? noValue },
    { label: 'Quantity', value: quantity },
    { label: 'Requested for', value: requested_for ? <Person address={requested_for} /> : noValue },
  ];
  return [
    ...addPlainFacts(facts, request, requestFields, requestWords),
    ...slaFacts(request),
    ...approvalFacts(request),
  ];
}

export function CreateRequestPage() {
  const { client } = useApi();
  return (
    <RecordEditor
      title="Create request"
      description="A manager other than you and the person it is for must approve this request."
      sections={requestSections}
      words={requestWords}
      controls={requestControls}
      minRole="viewer"
      first={toFirstDraft(useQueryString())}
      submitText="Submit request"
      cancelTo={requestList}
      save={async (draft, key) => {
        const creation = { short_description: '', ...toCreation(draft, requestFields) };
        const { id } = await client.createRequest(creation, { idempotencyKey: key });
        replaceLocation(requestPath(id));
      }}
    />
  );
}

/** A tile of the catalog names the item. */
function toFirstDraft(query: string) {
  const item = new URLSearchParams(query).get('item') ?? '';
  const short_description = item === '' ? '' : `Request: ${item}`;
  return { ...emptyDraft(requestFields), item, short_description };
}

export function EditRequestPage({ id }: { id: string }) {
  const { client } = useApi();
  const load = useCallback((signal: AbortSignal) => client.getRequest.withResponse({ id }, { signal }), [client, id]);
  return (
    <EditRecordPage<ServiceRequest>
      id={id}
      load={load}
      fields={requestFields}
      sections={requestSections}
      words={requestWords}
      controls={requestControls}
      pageTo={requestPath(id)}
      fixed={fixed}
      save={(patch, options) => client.updateRequest({ id }, patch, options)}
    />
  );
}

const fixed = createFieldLock(approvedRequestFields, requestWords.thing);
