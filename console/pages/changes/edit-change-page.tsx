import { useCallback } from 'react';
import { useApi } from '../../api.ts';
import { EditRecordPage } from '../../records/edit-record-page.tsx';
import { type Change, changeFields, changePath, changeSections, changeWords } from './change-words.ts';

export function EditChangePage({ id }: { id: string }) {
  const { client } = useApi();
  const load = useCallback((signal: AbortSignal) => client.getChange.withResponse({ id }, { signal }), [client, id]);
  return (
    <EditRecordPage<Change>
      id={id}
      load={load}
      fields={changeFields}
      sections={changeSections}
      words={changeWords}
      pageTo={changePath(id)}
      save={(patch, options) => client.updateChange({ id }, patch, options)}
    />
  );
}
