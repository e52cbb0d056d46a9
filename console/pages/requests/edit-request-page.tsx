import { useCallback } from 'react';
import { useApi } from '../../api.ts';
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
      save={(patch, options) => client.updateRequest({ id }, patch, options)}
    />
  );
}
