import Button from '@cloudscape-design/components/button';
import type { ReactNode } from 'react';
import { useCaller } from '../../../caller.tsx';
import { SuggestingField } from './suggesting-field.tsx';

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
          <Button
            formAction="none"
            ariaLabel="Assign to me"
            disabled={value === caller.email}
            onClick={() => onChange(caller.email)}
          >
            Me
          </Button>
        )
      }
    />
  );
}
