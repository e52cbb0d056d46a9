import Button from '@cloudscape-design/components/button';
import FormField from '@cloudscape-design/components/form-field';
import { type ReactNode, useState } from 'react';

interface InlineEditProps {
  label: string;
  /** What is shown while nobody edits. */
  children: ReactNode;
  value: string;
  editor(value: string, onChange: (value: string) => void): ReactNode;
  onSave(value: string): void;
  open: boolean;
  onOpen(): void;
  onCancel(): void;
  saving: boolean;
  errorText?: ReactNode;
}

/** A value that can be changed where it stands. */
export function InlineEdit(props: InlineEditProps) {
  if (props.open) return <Editor {...props} />;
  return (
    <div className="inline-edit">
      <span className="wrapping">{props.children}</span>
      <Button variant="inline-icon" iconName="edit" ariaLabel={`Edit ${props.label}`} onClick={props.onOpen} />
    </div>
  );
}

function Editor({ label, value, editor, onSave, onCancel, saving, errorText }: InlineEditProps) {
  const [draft, setDraft] = useState(value);
  const save = () => (draft === value ? onCancel() : onSave(draft));
  return (
    <form
      aria-label={`Edit ${label}`}
      onSubmit={(event) => {
        event.preventDefault();
        if (!saving) save();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !event.defaultPrevented) onCancel();
      }}
    >
      <FormField errorText={errorText} stretch>
        <div className="with-button">
          {editor(draft, setDraft)}
          <span className="inline-edit-buttons">
            <Button variant="icon" iconName="check" ariaLabel={`Save ${label}`} loading={saving} formAction="submit" />
            <Button
              variant="icon"
              iconName="close"
              ariaLabel={`Cancel editing ${label}`}
              formAction="none"
              onClick={onCancel}
            />
          </span>
        </div>
      </FormField>
    </form>
  );
}
