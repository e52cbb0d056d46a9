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
  onOpen(): void;
  onCancel(): void;
  saving: boolean;
  errorText?: ReactNode;
}

/** A value that can be changed where it stands. */
export function InlineEdit(props: InlineEditProps) {
  const { label, children, value, onOpen, onCancel } = props;
  const [open, setOpen] = useState(false);
  if (open) {
    const cancel = () => {
      setOpen(false);
      onCancel();
    };
    return <Editor {...props} onCancel={cancel} onDone={() => setOpen(false)} />;
  }
  const edit = () => {
    setOpen(true);
    onOpen();
  };
  return (
    <div className="inline-edit">
      <span className="wrapping">{children}</span>
      <Button variant="inline-icon" iconName="edit" ariaLabel={`Edit ${label}`} onClick={edit} />
    </div>
  );
}

function Editor(props: InlineEditProps & { onDone(): void }) {
  const { label, value, editor, onSave, onCancel, onDone, saving, errorText } = props;
  const [draft, setDraft] = useState(value);
  const save = async () => {
    if (draft === value || (await onSave(draft))) onDone();
  };
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
              ariaLabel={`Do not change ${label}`}
              formAction="none"
              onClick={onCancel}
            />
          </span>
        </div>
      </FormField>
    </form>
  );
}
