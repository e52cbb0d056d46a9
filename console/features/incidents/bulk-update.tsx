import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import FormField from '@cloudscape-design/components/form-field';
import Select, { type SelectProps } from '@cloudscape-design/components/select';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Textarea from '@cloudscape-design/components/textarea';
import { useState } from 'react';
import type { IncidentState, Priority } from '../../../contract/states.ts';
import { incidentTransitions } from '../../../contract/states.ts';
import { useApi } from '../../base/api.ts';
import { useUnknownNames } from '../../records/directory.ts';
import type { BulkModalProps } from '../../records/record-list.tsx';
import { AssigneeField } from '../../resources/incident-controls.tsx';
import { type Incident, priorities, priorityNames, stateNames, states } from '../../resources/incident-words.ts';
import { SuggestingField } from '../../resources/suggesting-field.tsx';
import { formatCount } from '../../ui/count.ts';
import { DecisionModal } from '../../ui/modals.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { followJob } from '../jobs/follow-job.tsx';

interface Changes {
  assignment_group: string;
  assigned_to: string;
  priority: Priority | '';
  state: IncidentState | '';
  resolution: string;
  work_note: string;
}

const nothing: Changes = {
  assignment_group: '',
  assigned_to: '',
  priority: '',
  state: '',
  resolution: '',
  work_note: '',
};

/** Updates several incidents with one request, which the service runs as a job. */
export function BulkUpdate({ items: incidents, onClose, onFinished }: BulkModalProps<Incident>) {
  const { client } = useApi();
  const [changes, setChanges] = useState(nothing);
  const [problem, setProblem] = useState<unknown>();
  const [sending, setSending] = useState(false);
  const fields = toFields(changes);
  const { assignment_group, assigned_to } = changes;
  const unknown = useUnknownNames({ assignment_group, assigned_to }, {});
  const change = (part: Partial<Changes>) => setChanges((before) => ({ ...before, ...part }));
  const submit = async () => {
    setSending(true);
    try {
      const ids = incidents.map(({ id }) => id);
      const { job_id, total } = await client.bulkIncidents({ operation: 'update', ids, fields });
      followJob(client, job_id, total, onFinished);
      onClose();
    } catch (error) {
      setProblem(error);
      setSending(false);
    }
  };
  return (
    <DecisionModal
      title={`Update ${formatCount(incidents.length, 'incident')}`}
      dismissText="Cancel"
      onDismiss={onClose}
      confirmText="Update"
      onConfirm={submit}
      busy={sending}
      disabled={Object.keys(fields).length === 0 || Object.keys(unknown).length > 0}
    >
      {problem !== undefined && <ProblemView problem={problem} />}
      <Box color="text-body-secondary">Fields you leave empty are not changed.</Box>
      <AssignmentFields changes={changes} onChange={change} />
      <FormField label="Priority" stretch>
        <Select
          placeholder="Unchanged"
          selectedOption={toOption(priorityOptions, changes.priority)}
          options={[unchanged, ...priorityOptions]}
          onChange={({ detail }) => change({ priority: detail.selectedOption.value as Priority | '' })}
        />
      </FormField>
      <StateField incidents={incidents} changes={changes} onChange={change} />
      <FormField label="Work note" description="Added to each incident." stretch>
        <Textarea rows={2} value={changes.work_note} onChange={({ detail }) => change({ work_note: detail.value })} />
      </FormField>
    </DecisionModal>
  );
}

function AssignmentFields({ changes, onChange }: Pick<StateFieldProps, 'changes' | 'onChange'>) {
  return (
    <SpaceBetween size="l">
      <SuggestingField
        field="assignment_group"
        label="Assignment group"
        value={changes.assignment_group}
        onChange={(assignment_group) => onChange({ assignment_group })}
      />
      <AssigneeField value={changes.assigned_to} onChange={(assigned_to) => onChange({ assigned_to })} />
    </SpaceBetween>
  );
}

interface StateFieldProps {
  incidents: readonly Incident[];
  changes: Changes;
  onChange(part: Partial<Changes>): void;
}

/** Offers states that at least one incident can move to; the job reports the others as failed. */
function StateField({ incidents, changes, onChange }: StateFieldProps) {
  const reaching = (state: IncidentState) =>
    incidents.filter((incident) => incidentTransitions[incident.state].includes(state)).length;
  const options = states
    .filter((state) => reaching(state) > 0)
    .map((value) => ({ value, label: stateNames[value], description: `${reaching(value)} of ${incidents.length}` }));
  const left = changes.state === '' ? 0 : incidents.length - reaching(changes.state);
  return (
    <SpaceBetween size="s">
      <FormField label="State">
        <Select
          placeholder="Unchanged"
          selectedOption={toOption(options, changes.state)}
          options={[unchanged, ...options]}
          onChange={({ detail }) => onChange({ state: detail.selectedOption.value as IncidentState | '' })}
        />
      </FormField>
      {left > 0 && (
        <Alert type="warning">
          {left} of the selected incidents cannot move to this state. None of their fields will be updated.
        </Alert>
      )}
      {changes.state === 'resolved' && (
        <FormField label="Resolution" description="How the incidents were resolved.">
          <Textarea
            rows={3}
            value={changes.resolution}
            onChange={({ detail }) => onChange({ resolution: detail.value })}
          />
        </FormField>
      )}
    </SpaceBetween>
  );
}

const unchanged: SelectProps.Option = { value: '', label: 'Unchanged' };

const priorityOptions = priorities.map((value) => ({ value, label: priorityNames[value] }));

function toOption(options: readonly SelectProps.Option[], value: string): SelectProps.Option | null {
  return options.find((option) => option.value === value) ?? null;
}

function toFields(changes: Changes) {
  const { resolution, ...rest } = changes;
  const given = changes.state === 'resolved' ? { ...rest, resolution } : rest;
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value.trim() !== '')) as {
    [Field in keyof Changes]?: Exclude<Changes[Field], ''>;
  };
}
