import Autosuggest from '@cloudscape-design/components/autosuggest';
import Select from '@cloudscape-design/components/select';
import { type ReactNode, useState } from 'react';
import { ServiceProblem } from '../../../../client/index.ts';
import { InlineEdit } from '../../../components/inline-edit.tsx';
import { divideProblem } from '../../../field-problems.ts';
import { useMay } from '../../../use-may.ts';
import { useStore } from '../../../use-store.ts';
import { ConflictModal } from '../conflict-modal.tsx';
import { fieldNames, levelNames, levels, priorities, priorityNames } from '../incident-words.ts';
import { type KnownField, knownValues } from '../known-values.ts';
import type { IncidentVersion } from '../use-incident.ts';
import { type Change, useIncidentChange } from '../use-incident-change.ts';

type Choice = 'priority' | 'impact' | 'urgency';

interface EditableFieldProps {
  field: Choice | KnownField;
  version: IncidentVersion;
  onSaved(version: IncidentVersion): void;
  children: ReactNode;
}

/** A field of the incident that is often changed alone. */
export function EditableField({ field, version, onSaved, children }: EditableFieldProps) {
  const mayWrite = useMay('itsm_agent');
  // The version that the editor was opened with stays the one to compare with, however long it is open.
  const [opened, setOpened] = useState<IncidentVersion>();
  const change = useIncidentChange(opened ?? version, (saved) => {
    setOpened(undefined);
    onSaved(saved);
  });
  const cancel = () => {
    setOpened(undefined);
    change.forgetProblem();
  };
  if (!mayWrite || version.incident.deleted) return <span className="wrapping">{children}</span>;
  return (
    <>
      <InlineEdit
        label={fieldNames[field].toLowerCase()}
        value={version.incident[field] ?? ''}
        saving={change.saving}
        errorText={errorOf(change.problem, field)}
        open={opened !== undefined}
        onOpen={() => setOpened(version)}
        onCancel={cancel}
        onSave={(value) => change.save({ [field]: value.trim() === '' ? null : value.trim() } as Change)}
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
  return (
    <Select
      ariaLabel={fieldNames[field]}
      autoFocus
      selectedOption={options.find((option) => option.value === value) ?? null}
      options={options}
      onChange={({ detail }) => onChange(detail.selectedOption.value ?? '')}
    />
  );
}

function TextEditor({ field, value, onChange }: EditorProps<KnownField>) {
  const known = useStore(knownValues)[field];
  return (
    <Autosuggest
      ariaLabel={fieldNames[field]}
      autoFocus
      value={value}
      options={known.map((one) => ({ value: one }))}
      enteredTextLabel={(text) => `Use “${text}”`}
      empty="No suggestions"
      onChange={({ detail }) => onChange(detail.value)}
    />
  );
}

const priorityOptions = priorities.map((value) => ({ value, label: priorityNames[value] }));

const levelOptions = [{ value: '', label: 'Not set' }, ...levels.map((value) => ({ value, label: levelNames[value] }))];

function errorOf(problem: unknown, field: string): string | undefined {
  if (problem === undefined) return undefined;
  const { byField, rest } = divideProblem(problem, (name) => name === field);
  if (rest === undefined) return byField[field];
  return rest instanceof ServiceProblem ? `${rest.title}. ${rest.detail}` : String(rest);
}
