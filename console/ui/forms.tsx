import { type ReactNode, type Ref, useEffect, useRef, useState } from 'react';
import { guardLeaving } from '../base/router.ts';
import { Button, Form, FormField, Row, Stack } from './kit/index.ts';

interface RecordFormProps {
  ref: Ref<HTMLFormElement>;
  children: ReactNode;
  submitText: string;
  onSubmit(): void;
  saving: boolean;
  /** Where Cancel leads. */
  cancelTo: string;
  /** Whether a choice that is no input of the browser has changed something. */
  isChanged?: boolean;
}

/** A form with Cancel and submit buttons. */
export function RecordForm({ ref, children, submitText, onSubmit, saving, cancelTo, isChanged }: RecordFormProps) {
  const hasInput = useRef(false);
  const isUnsaved = useRef<() => boolean>(() => false);
  isUnsaved.current = () => hasInput.current || isChanged === true;
  useEffect(() => guardLeaving(() => isUnsaved.current()), []);
  return (
    <form
      ref={ref}
      onInput={() => {
        hasInput.current = true;
      }}
      onSubmit={(event) => {
        event.preventDefault();
        if (!saving) onSubmit();
      }}
    >
      <Form
        actions={
          <Row>
            <Button to={cancelTo} variant="link">
              Cancel
            </Button>
            <Button variant="primary" submit loading={saving} loadingText="Saving">
              {submitText}
            </Button>
          </Row>
        }
      >
        <Stack>{children}</Stack>
      </Form>
    </form>
  );
}

interface InlineEditProps {
  label: string;
  /** Shown while the value is not being edited. */
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

/** A value that the user can edit in place. */
export function InlineEdit(props: InlineEditProps) {
  if (props.open) return <Editor {...props} />;
  return (
    <div className="inline-edit">
      <span className="wrapping">{props.children}</span>
      <Button variant="icon" icon="edit" ariaLabel={`Edit ${props.label}`} onClick={props.onOpen} />
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
            <Button variant="icon" icon="check" ariaLabel={`Save ${label}`} loading={saving} submit />
            <Button variant="icon" icon="close" ariaLabel={`Cancel editing ${label}`} onClick={onCancel} />
          </span>
        </div>
      </FormField>
    </form>
  );
}

/**
 * Moves the focus to the first problem, once the form shows it. A field that opens suggestions on focus would cover the
 * problem, so it is only scrolled into view.
 */
export function focusFirstProblem(form: HTMLElement | null): void {
  requestAnimationFrame(() => {
    const field = form?.querySelector<HTMLElement>('[aria-invalid=true]');
    field?.scrollIntoView({ block: 'center' });
    if (field?.getAttribute('role') !== 'combobox') field?.focus({ preventScroll: true });
  });
}
