import type { ReactNode } from 'react';
import { useCaller } from '../base/caller.tsx';
import type { CustomControls, CustomFieldProps } from '../records/record-fields.tsx';
import { Button } from '../ui/kit/index.ts';
import { CiField } from './ci-controls.tsx';
import type { KnownField } from './known-values.ts';
import { SuggestingField } from './suggesting-field.tsx';

/** The form controls of incidents. */
export const incidentControls: CustomControls = {
  ci: CiField,
  assignee: ({ name, value, problems, onChange }) => (
    <AssigneeField value={value} onChange={onChange} errorText={problems[name]} />
  ),
  suggested: ({ name, label, value, problems, onChange }: CustomFieldProps) => (
    <SuggestingField
      field={name as KnownField}
      label={label}
      value={value}
      onChange={onChange}
      errorText={problems[name]}
    />
  ),
};

interface AssigneeFieldProps {
  value: string;
  onChange(value: string): void;
  errorText?: ReactNode;
}

export function AssigneeField({ value, onChange, errorText }: AssigneeFieldProps) {
  const { data: caller } = useCaller();
  return (
    <SuggestingField
      field="assigned_to"
      label="Assigned to"
      placeholder="name@example.com"
      value={value}
      onChange={onChange}
      errorText={errorText}
      button={
        caller && (
          <Button ariaLabel="Assign to me" disabled={value === caller.email} onClick={() => onChange(caller.email)}>
            Me
          </Button>
        )
      }
    />
  );
}
