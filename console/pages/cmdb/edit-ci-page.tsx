import { useCallback } from 'react';
import { useApi } from '../../api.ts';
import { EditRecordPage } from '../../records/edit-record-page.tsx';
import { type Ci, ciFields, ciPath, ciSections, ciWords } from './ci-words.ts';

export function EditCiPage({ id }: { id: string }) {
  const { client } = useApi();
  const load = useCallback((signal: AbortSignal) => client.getCi.withResponse({ id }, { signal }), [client, id]);
  return (
    <EditRecordPage<Ci>
      id={id}
      load={load}
      fields={ciFields}
      sections={ciSections}
      words={ciWords}
      pageTo={ciPath(id)}
      save={(patch, options) => client.updateCi({ id }, patch, options)}
    />
  );
}
