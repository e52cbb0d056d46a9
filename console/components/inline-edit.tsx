import Button from '@cloudscape-design/components/button';
import FormField from '@cloudscape-design/components/form-field';
import { type ReactNode, useState } from 'react';

interface InlineEditProps {
  label: string;
  /** What is shown while nobody edits. */
  children: ReactNode;
  value: string;
  editor(value: string, onChange: (value: string) => void): ReactNode;
  /** True when the value was saved. */
  onSave(value: string): Promise<boolean>;
  onCancel(): void;
  saving: boolean;
  errorText?: ReactNode;
}

/** A value that can be changed where it stands. */
export function InlineEdit({ label, children, value, editor, onSave, onCancel, saving, errorText }: InlineEditProps) {
  const [draft, setDraft] = useState<string>();
  if (draft === undefined) {
    return (
      <div className="inline-edit">
        <span className="wrapping">{children}</span>
        <Button variant="inline-icon" iconName="edit" ariaLabel={`Edit ${label}`} onClick={() => setDraft(value)} />
      </div>
    );
  }
  const close = () => {
    setDraft(undefined);
    onCancel();
  };
  const save = async () => {
    if (draft === value || (await onSave(draft))) setDraft(undefined);
  };
  return (
    <form
      aria-label={`Edit ${label}`}
      onSubmit={(event) => {
        event.preventDefault();
        if (!saving) save();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !event.defaultPrevented) close();
      }}
    >
      <FormField
        errorText={errorText}
        stretch
        secondaryControl={
          <span className="inline-edit-buttons">
            <Button variant="icon" iconName="check" ariaLabel={`Save ${label}`} loading={saving} formAction="submit" />
            <Button
              variant="icon"
              iconName="close"
              ariaLabel={`Do not change ${label}`}
              formAction="none"
              onClick={close}
            />
          </span>
        }
      >
        {editor(draft, setDraft)}
      </FormField>
    </form>
  );
}
