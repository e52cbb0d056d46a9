import { useCallback } from 'react';
import { useApi } from '../../../api.ts';
import { collectPages } from '../../../pages-of.ts';
import { HistoryPanel as RecordHistory } from '../../../records/history-panel.tsx';
import { fieldName, valueText } from '../incident-words.ts';

interface HistoryPanelProps {
  id: string;
  revision: string | undefined;
  which: 'existing' | 'deleted';
}

const computed = ['opened_by', 'reopen_count', 'sla_breach_at', 'work_notes_count', 'deleted'];

export function HistoryPanel({ id, revision, which }: HistoryPanelProps) {
  const { client } = useApi();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another revision of the incident has more history.
  const load = useCallback(
    (signal: AbortSignal) => {
      const address = which === 'deleted' ? { id, include_deleted: true } : { id };
      return collectPages((page) => client.listIncidentHistory({ ...address, ...page }, { signal }));
    },
    [client, id, revision, which],
  );
  return <RecordHistory load={load} words={{ thing: 'incident', fieldName, valueText, computed }} />;
}
