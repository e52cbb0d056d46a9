import { useCallback } from 'react';
import type { approvedChangeFields } from '../../../contract/change-calendar.ts';
import { useApi } from '../../api.ts';
import { approvedFields } from '../../records/approval-facts.tsx';
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
      fixed={fixed}
      save={(patch, options) => client.updateChange({ id }, patch, options)}
    />
  );
}

const approved: Readonly<Record<(typeof approvedChangeFields)[number], true>> = {
  type: true,
  risk: true,
  planned_start: true,
  planned_end: true,
  ci_ids: true,
};

const fixed = approvedFields(approved, changeWords.thing);
