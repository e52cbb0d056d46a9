import { useState } from 'react';
import type { ServiceClient } from '../../../client/index.ts';
import type { IncidentState, Priority } from '../../../contract/states.ts';
import { incidentTransitions } from '../../../contract/states.ts';
import { useApi } from '../../base/api.ts';
import { useUnknownNames } from '../../records/directory.ts';
import type { BulkModalProps } from '../../records/record-list.tsx';
import { AssigneeField } from '../../resources/incident-controls.tsx';
import { type Incident, priorities, priorityNames, stateNames, states } from '../../resources/incident-words.ts';
import { SuggestingField } from '../../resources/suggesting-field.tsx';
import { formatCount } from '../../ui/count.ts';
import { Alert, Box, FormField, Select, Stack, Textarea } from '../../ui/kit/index.ts';
import { PageLink } from '../../ui/links.tsx';
import { ActionModal } from '../../ui/modals.tsx';
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
  const fields = toFields(changes);
  const { assignment_group, assigned_to } = changes;
  const unknown = useUnknownNames({ assignment_group, assigned_to }, {});
  const change = (part: Partial<Changes>) => setChanges((before) => ({ ...before, ...part }));
  const submit = async () => {
    const ids = incidents.map(({ id }) => id);
    const { job_id, total } = await client.bulkIncidents({ operation: 'update', ids, fields });
    followJob(client, job_id, total, onFinished, toUndo(client, incidents, fields, onFinished));
  };
  return (
    <ActionModal
      title={`Update ${formatCount(incidents.length, 'incident')}`}
      confirmText="Update"
      disabled={Object.keys(fields).length === 0 || Object.keys(unknown).length > 0}
      run={submit}
      onClose={onClose}
    >
      <Box muted>Fields you leave empty are not changed.</Box>
      <PageLink to={`/problems/new?incidents=${incidents.map(({ id }) => id).join(',')}`}>
        Create a problem for these incidents
      </PageLink>
      <AssignmentFields changes={changes} onChange={change} />
      <FormField label="Priority" stretch>
        <Select
          placeholder="Unchanged"
          value={changes.priority || undefined}
          options={[unchanged, ...priorityOptions]}
          onChange={(value) => change({ priority: value as Priority | '' })}
        />
      </FormField>
      <StateField incidents={incidents} changes={changes} onChange={change} />
      <FormField label="Work note" description="Added to each incident." stretch>
        <Textarea rows={2} value={changes.work_note} onChange={(value) => change({ work_note: value })} />
      </FormField>
    </ActionModal>
  );
}

function AssignmentFields({ changes, onChange }: Pick<StateFieldProps, 'changes' | 'onChange'>) {
  return (
    <Stack>
      <SuggestingField
        field="assignment_group"
        label="Assignment group"
        value={changes.assignment_group}
        onChange={(assignment_group) => onChange({ assignment_group })}
      />
      <AssigneeField value={changes.assigned_to} onChange={(assigned_to) => onChange({ assigned_to })} />
    </Stack>
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
    <Stack gap="s">
      <FormField label="State">
        <Select
          placeholder="Unchanged"
          value={changes.state || undefined}
          options={[unchanged, ...options]}
          onChange={(value) => onChange({ state: value as IncidentState | '' })}
        />
      </FormField>
      {left > 0 && (
        <Alert type="warning">
          {left} of the selected incidents cannot move to this state. None of their fields will be updated.
        </Alert>
      )}
      {changes.state === 'resolved' && (
        <FormField label="Resolution" description="How the incidents were resolved.">
          <Textarea rows={3} value={changes.resolution} onChange={(value) => onChange({ resolution: value })} />
        </FormField>
      )}
    </Stack>
  );
}

const undoable = ['assignment_group', 'assigned_to', 'priority'] as const;

/** Gives each incident its values back, with one job for all that had the same; undefined where that is not possible. */
function toUndo(client: ServiceClient, incidents: readonly Incident[], fields: object, onFinished: () => void) {
  const names = undoable.filter((name) => name in fields);
  if (names.length === 0 || names.length < Object.keys(fields).length) return undefined;
  const before = new Map<string, string[]>();
  for (const incident of incidents) {
    const values = JSON.stringify(Object.fromEntries(names.map((name) => [name, incident[name]])));
    before.set(values, [...(before.get(values) ?? []), incident.id]);
  }
  return async () => {
    for (const [values, ids] of before) {
      const { job_id, total } = await client.bulkIncidents({ operation: 'update', ids, fields: JSON.parse(values) });
      void followJob(client, job_id, total, onFinished);
    }
  };
}

const unchanged = { value: '', label: 'Unchanged' };

const priorityOptions = priorities.map((value) => ({ value, label: priorityNames[value] }));

function toFields(changes: Changes) {
  const { resolution, ...rest } = changes;
  const given = changes.state === 'resolved' ? { ...rest, resolution } : rest;
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value.trim() !== '')) as {
    [Field in keyof Changes]?: Exclude<Changes[Field], ''>;
  };
}
