import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type IncidentState, incidentTransitions } from '../../../contract/states.ts';
import { useApi } from '../../base/api.ts';
import { useCaller } from '../../base/caller.tsx';
import { useStore } from '../../base/store.ts';
import { ChoicePopup } from '../../records/choice-popup.tsx';
import { useDirectory } from '../../records/directory.ts';
import type { EditorProps } from '../../records/record-list.tsx';
import { toEditId } from '../../records/record-table.tsx';
import { fieldNames, type Incident, priorities, priorityNames } from '../../resources/incident-words.ts';
import { knownValues } from '../../resources/known-values.ts';
import type { Option } from '../../ui/kit/index.ts';
import { notify } from '../../ui/notices.ts';
import { formatPerson } from '../../ui/person.ts';
import { ProblemView } from '../../ui/problem-view.tsx';
import { getTransitionWords, needsConfirmation, startWork, TransitionModal } from './incident-actions.tsx';
import {
  type Change,
  ConflictModal,
  type IncidentVersion,
  useIncident,
  useIncidentChange,
} from './incident-change.tsx';

/** Changes the priority, state, assignee or team of a row. A change by somebody else meanwhile is shown first. */
export function FieldEditor({ item: incident, field, onClose }: EditorProps<Incident>) {
  const { client } = useApi();
  const queries = useQueryClient();
  const { data: caller } = useCaller();
  const current = useIncident(incident.id, 'existing');
  const version: IncidentVersion = current.data ?? { record: incident, etag: undefined };
  const [asking, setAsking] = useState<IncidentState>();
  const [isChosen, setChosen] = useState(false);
  const name = fieldNames[field as keyof Incident];
  const refresh = () => void queries.invalidateQueries({ queryKey: ['incidents'] });
  const change = useIncidentChange(version, (saved) => {
    current.show(saved);
    refresh();
    onClose();
    const before = incident[field as keyof Incident];
    const undo = async () => {
      const options = saved.etag ? { ifMatch: saved.etag } : {};
      await client
        .updateIncident({ id: incident.id }, { [field]: before } as Change, options)
        .catch((problem: unknown) => notify({ type: 'error', content: <ProblemView problem={problem} /> }));
      refresh();
    };
    notify({
      type: 'success',
      content: `${name} of ${incident.id} changed.`,
      ...(field === 'state' ? {} : { action: { text: 'Undo', run: undo } }),
    });
  });
  const { problem } = change;
  useEffect(() => {
    if (problem === undefined) return;
    notify({ type: 'error', content: <ProblemView problem={problem} /> });
    onClose();
  }, [problem, onClose]);
  const options = useFieldOptions(incident, field);
  if (asking) return <TransitionModal version={version} to={asking} onSaved={refresh} onClose={onClose} />;
  if (isChosen) return <ConflictModal change={change} onClose={onClose} />;
  const choose = (value: string) => {
    const state = incidentTransitions[incident.state].find((next) => field === 'state' && next === value);
    if (state && needsConfirmation(state)) return setAsking(state);
    setChosen(true);
    void change.save(state ? startWork(incident, caller?.email) : { [field]: value === '' ? null : value });
  };
  return (
    <ChoicePopup
      label={`${name}: ${incident.id}`}
      anchorId={toEditId(incident.id, field)}
      options={options}
      value={incident[field as 'priority' | 'assigned_to' | 'assignment_group'] ?? ''}
      onChoose={choose}
      onClose={onClose}
    />
  );
}

function useFieldOptions({ state }: Incident, field: string): readonly Option[] {
  const { data: caller } = useCaller();
  const { people, groups } = useDirectory();
  const known = useStore(knownValues);
  if (field === 'priority') return priorities.map((value) => ({ value, label: priorityNames[value] }));
  if (field === 'state') {
    return incidentTransitions[state].map((value) => ({ value, label: getTransitionWords(state, value).button }));
  }
  if (field === 'assignment_group') {
    const names = groups?.data.map(({ name }) => name) ?? known.assignment_group;
    return [...names.map((value) => ({ value })), { value: '', label: 'No team' }];
  }
  const others = (people?.data ?? []).filter(({ email }) => email !== caller?.email);
  return [
    ...(caller ? [{ value: caller.email, label: 'Me', tag: formatPerson(caller.email) }] : []),
    { value: '', label: 'Nobody' },
    ...others.map(({ email, name }) => ({ value: email, label: name ?? formatPerson(email) })),
  ];
}
