import { type ReactNode, useState } from 'react';
import { ServiceProblem } from '../../../client/index.ts';
import { useHasRole } from '../../base/caller.tsx';
import { useStore } from '../../base/store.ts';
import { useKnownNames, useNameCheck } from '../../records/directory.ts';
import { addPlainFacts } from '../../records/record-page.tsx';
import { formatValue } from '../../records/record-words.ts';
import { CiLinks } from '../../resources/ci-links.tsx';
import { PriorityBadge, StateLabel } from '../../resources/incident-labels.tsx';
import {
  fieldNames,
  type Incident,
  incidentFields,
  incidentWords,
  levelNames,
  levels,
  priorities,
  priorityNames,
} from '../../resources/incident-words.ts';
import { type KnownField, knownValues } from '../../resources/known-values.ts';
import { splitProblem } from '../../ui/field-problems.ts';
import { InlineEdit } from '../../ui/forms.tsx';
import { Box, Combobox, KeyValues, Select } from '../../ui/kit/index.ts';
import { Panel } from '../../ui/layouts.tsx';
import { PageLink } from '../../ui/links.tsx';
import { Ago, Person } from '../../ui/text.tsx';
import { type Change, ConflictModal, type IncidentVersion, useIncidentChange } from './incident-change.tsx';
import { Reference } from './known-errors.tsx';

interface DetailsPanelProps {
  version: IncidentVersion;
  onSaved(version: IncidentVersion): void;
}

export function DetailsPanel({ version, onSaved }: DetailsPanelProps) {
  const { record: incident } = version;
  const editable = (field: Parameters<typeof EditableField>[0]['field'], shown: ReactNode = text(incident, field)) => ({
    label: fieldNames[field],
    value: (
      <EditableField field={field} version={version} onSaved={onSaved}>
        {shown}
      </EditableField>
    ),
  });
  return (
    <Panel title="Details">
      <KeyValues
        columns={2}
        items={addPlainFacts(
          [
            { label: fieldNames.state, value: <StateLabel state={incident.state} /> },
            editable('priority', <PriorityBadge priority={incident.priority} />),
            editable('assignment_group'),
            editable('assigned_to'),
            editable('category'),
            editable('subcategory'),
            editable('impact'),
            editable('urgency'),
            { label: fieldNames.opened_by, value: <Requester address={incident.opened_by} /> },
            ...(['ci_id', 'parent_problem_id', 'change_id'] as const).map((field) => ({
              label: fieldNames[field],
              value: text(incident, field),
            })),
            { label: 'Created', value: <Ago at={incident.created_at} /> },
            { label: 'Updated', value: <Ago at={incident.updated_at} /> },
            ...when(incident.acknowledged_at, fieldNames.acknowledged_at),
            ...(incident.acknowledged_by
              ? [{ label: fieldNames.acknowledged_by, value: <Requester address={incident.acknowledged_by} /> }]
              : []),
            ...when(incident.resolved_at, 'Resolved'),
            ...when(incident.closed_at, 'Closed'),
            ...(incident.external_id ? [{ label: fieldNames.external_id, value: incident.external_id }] : []),
            ...(incident.reopen_count > 0 ? [{ label: fieldNames.reopen_count, value: incident.reopen_count }] : []),
          ],
          incident,
          incidentFields,
          incidentWords,
        )}
      />
    </Panel>
  );
}

function text(incident: Incident, field: keyof Incident): ReactNode {
  const value = incident[field];
  if (value === null) return <Box muted>–</Box>;
  if (field === 'ci_id') return <CiLinks ids={[String(value)]} />;
  if (field === 'change_id' || field === 'parent_problem_id') return <Reference id={String(value)} />;
  if (field === 'assigned_to') return <Person address={String(value)} />;
  return <span className="wrapping">{formatValue(incidentWords, field, value)}</span>;
}

/** Who reported the incident, with a link to what else they reported. */
function Requester({ address }: { address: string }) {
  const query = new URLSearchParams({ opened_by: address, state: 'all' });
  return (
    <>
      <Person address={address} />
      <Box small>
        <PageLink to={`/incidents?${query}`} variant="secondary">
          All their incidents
        </PageLink>
      </Box>
    </>
  );
}

function when(at: string | null, label: string) {
  return at === null ? [] : [{ label, value: <Ago at={at} /> }];
}

type Choice = 'priority' | 'impact' | 'urgency';

interface EditableFieldProps {
  field: Choice | KnownField;
  version: IncidentVersion;
  onSaved(version: IncidentVersion): void;
  children: ReactNode;
}

/** A field of the incident that the user can edit in place. */
export function EditableField({ field, version, onSaved, children }: EditableFieldProps) {
  const canWrite = useHasRole('itsm_agent');
  // Compares with the version that the editor was opened with.
  const [opened, setOpened] = useState<IncidentVersion>();
  const change = useIncidentChange(opened ?? version, (saved) => {
    setOpened(undefined);
    onSaved(saved);
  });
  const checkName = useNameCheck();
  const [unknown, setUnknown] = useState<string>();
  const save = (value: string) => {
    const problem = checkName(field, value);
    setUnknown(problem);
    if (problem === undefined) change.save({ [field]: value.trim() === '' ? null : value.trim() } as Change);
  };
  const cancel = () => {
    setOpened(undefined);
    setUnknown(undefined);
    change.forgetProblem();
  };
  if (!canWrite || version.record.deleted) return <span className="wrapping">{children}</span>;
  return (
    <>
      <InlineEdit
        label={fieldNames[field].toLowerCase()}
        value={version.record[field] ?? ''}
        saving={change.saving}
        errorText={unknown ?? formatError(change.problem, field)}
        open={opened !== undefined}
        onOpen={() => setOpened(version)}
        onCancel={cancel}
        onSave={save}
        editor={(value, onChange) =>
          field === 'priority' || field === 'impact' || field === 'urgency' ? (
            <ChoiceEditor field={field} value={value} onChange={onChange} />
          ) : (
            <TextEditor field={field} value={value} onChange={onChange} />
          )
        }
      >
        {children}
      </InlineEdit>
      <ConflictModal change={change} />
    </>
  );
}

interface EditorProps<Field> {
  field: Field;
  value: string;
  onChange(value: string): void;
}

function ChoiceEditor({ field, value, onChange }: EditorProps<Choice>) {
  const options = field === 'priority' ? priorityOptions : levelOptions;
  return <Select ariaLabel={fieldNames[field]} autoFocus value={value} options={options} onChange={onChange} />;
}

function TextEditor({ field, value, onChange }: EditorProps<KnownField>) {
  const seen = useStore(knownValues)[field];
  const known = useKnownNames(field) ?? seen;
  return (
    <Combobox
      ariaLabel={fieldNames[field]}
      autoFocus
      value={value}
      options={known.map((one) => ({ value: one }))}
      onChange={onChange}
    />
  );
}

const priorityOptions = priorities.map((value) => ({ value, label: priorityNames[value] }));

const levelOptions = [{ value: '', label: 'Not set' }, ...levels.map((value) => ({ value, label: levelNames[value] }))];

function formatError(problem: unknown, field: string): string | undefined {
  if (problem === undefined) return undefined;
  const { byField, rest } = splitProblem(problem, (name) => name === field);
  if (rest === undefined) return byField[field];
  return rest instanceof ServiceProblem ? `${rest.title}. ${rest.detail}` : String(rest);
}
