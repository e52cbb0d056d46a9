import { useCallback } from 'react';
import type { approvedRequestFields } from '../../../contract/requests.ts';
import { useApi } from '../../api.ts';
import { approvedFields } from '../../records/approval-facts.tsx';
import { EditRecordPage } from '../../records/edit-record-page.tsx';
import { requestFields, requestPath, requestSections, requestWords, type ServiceRequest } from './request-words.ts';

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
      pageTo={requestPath(id)}
      fixed={fixed}
      save={(patch, options) => client.updateRequest({ id }, patch, options)}
    />
  );
}

const approved: Readonly<Record<(typeof approvedRequestFields)[number], true>> = {
  item: true,
  quantity: true,
  requested_for: true,
};

const fixed = approvedFields(approved, requestWords.thing);
