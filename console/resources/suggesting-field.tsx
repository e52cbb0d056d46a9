import { type ReactNode, useState } from 'react';
import { useStore } from '../base/store.ts';
import { useKnownNames, useNameCheck } from '../records/directory.ts';
import { Combobox, FormField } from '../ui/kit/index.ts';
import { type KnownField, knownValues } from './known-values.ts';

interface SuggestingFieldProps {
  field: KnownField | 'requested_for';
  label: string;
  value: string;
  onChange(value: string): void;
  errorText?: ReactNode;
  placeholder?: string;
  /** Shown beside the input. */
  button?: ReactNode;
}

/** A text input that suggests names of the directory, or values of other incidents. */
export function SuggestingField(props: SuggestingFieldProps) {
  const { field, label, value, onChange, errorText, placeholder, button } = props;
  const seen = useStore(knownValues)[field as KnownField] ?? [];
  const listed = useKnownNames(field);
  const known = [...new Set(listed ?? seen)].sort();
  // A value that a record already has needs no warning.
  const [initial] = useState(value);
  const unknown = useNameCheck()(field, value);
  const warning = unknown !== undefined && value !== initial ? { warningText: unknown } : {};
  return (
    <FormField label={label} errorText={errorText} {...warning} stretch>
      <div className="with-button">
        <Combobox
          value={value}
          placeholder={placeholder ?? ''}
          options={known.map((one) => ({ value: one }))}
          onChange={onChange}
        />
        {button}
      </div>
    </FormField>
  );
}
