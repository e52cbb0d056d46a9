import Autosuggest from '@cloudscape-design/components/autosuggest';
import FormField from '@cloudscape-design/components/form-field';
import type { ReactNode } from 'react';
import { useStore } from '../../../use-store.ts';
import { type KnownField, knownValues } from '../known-values.ts';

interface SuggestingFieldProps {
  field: KnownField;
  label: string;
  description?: ReactNode;
  value: string;
  onChange(value: string): void;
  errorText?: ReactNode;
  placeholder?: string;
  secondaryControl?: ReactNode;
}

/** Free text with the values that other incidents have. */
export function SuggestingField(props: SuggestingFieldProps) {
  const { field, label, description, value, onChange, errorText, placeholder, secondaryControl } = props;
  const known = useStore(knownValues)[field];
  return (
    <FormField label={label} description={description} errorText={errorText} secondaryControl={secondaryControl}>
      <Autosuggest
        value={value}
        placeholder={placeholder ?? ''}
        options={known.map((one) => ({ value: one }))}
        enteredTextLabel={(text) => `Use “${text}”`}
        empty="Nothing to suggest"
        onChange={({ detail }) => onChange(detail.value)}
      />
    </FormField>
  );
}
