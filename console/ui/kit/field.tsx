import './field.css';
import { createContext, type ReactNode, useContext, useId } from 'react';
import { Row, Stack } from './layout.tsx';

interface Field {
  id: string;
  labelId: string;
  describedBy: string | undefined;
  isInvalid: boolean;
}

const FieldContext = createContext<Field | undefined>(undefined);

interface FormFieldProps {
  label?: ReactNode;
  description?: ReactNode;
  /** Below the control. */
  constraintText?: ReactNode;
  errorText?: ReactNode;
  warningText?: ReactNode;
  /** Beside the label. */
  info?: ReactNode;
  /** As wide as the form. */
  stretch?: boolean;
  children: ReactNode;
}

/** A control with its label and everything said about it. */
export function FormField(props: FormFieldProps) {
  const { label, description, constraintText, errorText, warningText, info, stretch, children } = props;
  const id = useId();
  const notes = { description, constraint: constraintText, error: errorText, warning: warningText };
  const describedBy = Object.entries(notes).flatMap(([name, note]) => (note ? [`${id}${name}`] : []));
  const field: Field = {
    id,
    labelId: `${id}label`,
    describedBy: describedBy.length > 0 ? describedBy.join(' ') : undefined,
    isInvalid: Boolean(errorText),
  };
  return (
    <div className={stretch ? 'ui-field' : 'ui-field ui-field-narrow'}>
      {label && (
        <div className="ui-label">
          <label id={field.labelId} htmlFor={id}>
            {label}
          </label>
          {info}
        </div>
      )}
      {description && (
        <div id={`${id}description`} className="ui-description">
          {description}
        </div>
      )}
      <FieldContext value={field}>{children}</FieldContext>
      {errorText && (
        <div id={`${id}error`} className="ui-field-error" role="alert">
          {errorText}
        </div>
      )}
      {warningText && !errorText && (
        <div id={`${id}warning`} className="ui-field-warning" role="status">
          {warningText}
        </div>
      )}
      {constraintText && (
        <div id={`${id}constraint`} className="ui-description">
          {constraintText}
        </div>
      )}
    </div>
  );
}

/** The attributes that connect a control with its field. A control with a name of its own does not take that of the field. */
export function useField(ariaLabel: string | undefined) {
  const field = useContext(FieldContext);
  const own = useId();
  return {
    labelId: ariaLabel === undefined ? field?.labelId : undefined,
    attributes: {
      id: ariaLabel === undefined && field ? field.id : own,
      'aria-label': ariaLabel,
      'aria-describedby': field?.describedBy,
      'aria-invalid': field?.isInvalid || undefined,
    },
  };
}

interface TextProps {
  value: string;
  onChange(value: string): void;
  ariaLabel?: string | undefined;
  placeholder?: string | undefined;
  autoFocus?: boolean;
  disabled?: boolean;
  readOnly?: boolean;
  spellcheck?: boolean;
  onKeyDown?(event: React.KeyboardEvent): void;
  onBlur?(): void;
}

interface InputProps extends TextProps {
  type?: 'text' | 'number' | 'search' | 'email' | 'url' | 'date' | 'time' | 'datetime-local';
  inputMode?: 'numeric' | 'tel' | 'email' | 'url';
  ariaRequired?: boolean;
}

export function Input({ onChange, ariaLabel, spellcheck, type = 'text', ariaRequired, ...rest }: InputProps) {
  return (
    <input
      {...rest}
      {...useField(ariaLabel).attributes}
      className="ui-input"
      type={type}
      autoComplete="off"
      spellCheck={spellcheck}
      aria-required={ariaRequired || undefined}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}

/** Grows with its text. */
export function Textarea({
  onChange,
  ariaLabel,
  spellcheck,
  rows = 3,
  code,
  ...rest
}: TextProps & { rows?: number; code?: boolean }) {
  return (
    <textarea
      {...rest}
      {...useField(ariaLabel).attributes}
      className={code ? 'ui-input ui-textarea ui-code' : 'ui-input ui-textarea'}
      rows={rows}
      style={{ minBlockSize: rows * 20 + 12 }}
      spellCheck={spellcheck}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}

interface CheckboxProps {
  checked: boolean;
  onChange(checked: boolean): void;
  disabled?: boolean;
  description?: ReactNode;
  children: ReactNode;
}

export function Checkbox(props: CheckboxProps) {
  return <CheckInput {...props} className="ui-check" />;
}

/** Takes effect at once. */
export function Toggle(props: CheckboxProps) {
  return <CheckInput {...props} className="ui-check ui-toggle" role="switch" />;
}

function CheckInput({
  checked,
  onChange,
  disabled = false,
  description,
  children,
  className,
  role,
}: CheckboxProps & { className: string; role?: 'switch' }) {
  const id = useId();
  return (
    <div className={className}>
      <label>
        <input
          type="checkbox"
          role={role}
          checked={checked}
          disabled={disabled}
          aria-describedby={description ? id : undefined}
          onChange={({ target }) => onChange(target.checked)}
        />
        <span>{children}</span>
      </label>
      {description && (
        <div id={id} className="ui-description">
          {description}
        </div>
      )}
    </div>
  );
}

interface RadioGroupProps {
  value: string;
  items: readonly { value: string; label: ReactNode }[];
  onChange(value: string): void;
}

export function RadioGroup({ value, items, onChange }: RadioGroupProps) {
  const name = useId();
  const { labelId } = useField(undefined);
  return (
    <div role="radiogroup" aria-labelledby={labelId} className="ui-stack ui-gap-xs">
      {items.map((item) => (
        <div key={item.value} className="ui-check">
          <label>
            <input type="radio" name={name} checked={item.value === value} onChange={() => onChange(item.value)} />
            <span>{item.label}</span>
          </label>
        </div>
      ))}
    </div>
  );
}

interface SegmentedControlProps<Id extends string> {
  label: string;
  selectedId: Id;
  options: readonly { id: Id; text: string }[];
  onChange(id: Id): void;
}

/** A few choices of which one is always chosen. */
export function SegmentedControl<Id extends string>(props: SegmentedControlProps<Id>) {
  return (
    <fieldset className="ui-segments" aria-label={props.label}>
      {props.options.map(({ id, text }) => (
        <button key={id} type="button" aria-pressed={id === props.selectedId} onClick={() => props.onChange(id)}>
          {text}
        </button>
      ))}
    </fieldset>
  );
}

/** Fields with the buttons of the form below. */
export function Form({ actions, children }: { actions: ReactNode; children: ReactNode }) {
  return (
    <Stack>
      {children}
      <div className="ui-form-actions">
        <Row>{actions}</Row>
      </div>
    </Stack>
  );
}
