import Autosuggest from '@cloudscape-design/components/autosuggest';
import FormField from '@cloudscape-design/components/form-field';
import type { ReactNode } from 'react';
import { useStore } from '../../ui/store.ts';
import { type KnownField, knownValues } from './known-values.ts';

interface SuggestingFieldProps {
  field: KnownField;
  label: string;
  value: string;
  onChange(value: string): void;
  errorText?: ReactNode;
  placeholder?: string;
  /** Shown beside the input. */
  button?: ReactNode;
}

/** A text input that suggests values of other incidents. */
export function SuggestingField(props: SuggestingFieldProps) {
  const { field, label, value, onChange, errorText, placeholder, button } = props;
  const known = useStore(knownValues)[field];
  return (
    <FormField label={label} errorText={errorText} stretch>
      <div className="with-button">
        <Autosuggest
          value={value}
          placeholder={placeholder ?? ''}
          options={known.map((one) => ({ value: one }))}
          enteredTextLabel={(text) => `Use “${text}”`}
          empty="No suggestions"
          onChange={({ detail }) => onChange(detail.value)}
        />
        {button}
      </div>
    </FormField>
  );
}
