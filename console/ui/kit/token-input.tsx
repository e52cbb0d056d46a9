import './token-input.css';
import { type Ref, useId, useRef, useState } from 'react';
import { Icon } from './icon.tsx';
import { Listbox, type Option, useOptionKeys } from './listbox.tsx';
import { Suggestions } from './popup.tsx';

export interface FilterField {
  key: string;
  name: string;
  /** Several values of it may be chosen. */
  isMultiple: boolean;
}

export interface FilterOption {
  key: string;
  value: string;
  label: string;
}

interface Token {
  key?: string;
  values: readonly string[];
}

interface TokenInputProps {
  label: string;
  placeholder: string;
  fields: readonly FilterField[];
  options: readonly FilterOption[];
  /** Those without a key are words to search for. */
  tokens: readonly Token[];
  onChange(tokens: Token[]): void;
  ref: Ref<HTMLInputElement>;
}

const maxOptions = 50;

/** An input for filters: type words to search for, or choose a field and its values. */
export function TokenInput(props: TokenInputProps) {
  const { label, placeholder, fields, options, tokens, onChange } = props;
  const id = useId();
  const frame = useRef<HTMLDivElement>(null);
  const [text, setText] = useState('');
  const [isOpen, setOpen] = useState(false);
  /** The field whose values are offered. */
  const [fieldKey, setFieldKey] = useState<string>();
  const field = fields.find(({ key }) => key === fieldKey);
  const getValues = (key: string) => tokens.find((token) => token.key === key)?.values ?? [];
  const toName = (key: string, value: string) =>
    options.find((option) => option.key === key && option.value === value)?.label ?? value;
  const setValues = (key: string | undefined, values: readonly string[]) => {
    const others = tokens.filter((token) => token.key !== key);
    onChange(values.length === 0 ? others : [...others, key === undefined ? { values } : { key, values }]);
  };
  const search = () => {
    if (text.trim() !== '')
      setValues(undefined, [...tokens.filter(({ key }) => !key).flatMap((t) => t.values), text.trim()]);
    setText('');
    setOpen(false);
  };
  const listed = listOptions(text.trim().toLowerCase(), field, fields, options);
  const choose = ({ value }: Option) => {
    const [kind, key = '', chosen = ''] = value.split('\u0000');
    setText('');
    if (kind === 'field') return setFieldKey(key);
    const isMultiple = fields.find((one) => one.key === key)?.isMultiple ?? false;
    const before = isMultiple ? getValues(key) : [];
    setValues(key, before.includes(chosen) ? before.filter((one) => one !== chosen) : [...before, chosen]);
    if (isMultiple && field) return;
    setFieldKey(undefined);
    setOpen(false);
  };
  const keys = useOptionKeys(isOpen ? listed : [], choose);
  const close = () => {
    setOpen(false);
    setFieldKey(undefined);
    keys.setActive(-1);
  };
  const isSelected = ({ value }: Option) => {
    const [, key = '', chosen = ''] = value.split('\u0000');
    return chosen !== '' && getValues(key).includes(chosen);
  };
  const isShown = isOpen && listed.length > 0;
  return (
    <>
      <div ref={frame} className="ui-input ui-token-input">
        <Icon name="search" />
        {tokens.map(({ key, values }) => {
          const name = key === undefined ? 'Search' : (fields.find((one) => one.key === key)?.name ?? key);
          const shown = key === undefined ? `“${values.join(' ')}”` : values.map((one) => toName(key, one)).join(', ');
          return (
            <span key={key ?? ''} className="ui-token">
              <button
                type="button"
                className="ui-token-text"
                onClick={() => {
                  if (key === undefined) setText(values.join(' '));
                  else setFieldKey(key);
                  setOpen(true);
                  frame.current?.querySelector('input')?.focus();
                }}
              >
                {key !== undefined && <span className="ui-muted">{name}: </span>}
                {shown}
              </button>
              <button
                type="button"
                aria-label={`Remove filter ${name}: ${shown}`}
                onClick={() => onChange(tokens.filter((token) => token.key !== key))}
              >
                <Icon name="close" />
              </button>
            </span>
          );
        })}
        {field && <span className="ui-muted">{field.name}:</span>}
        <input
          ref={props.ref}
          role="combobox"
          aria-label={label}
          aria-autocomplete="list"
          aria-expanded={isShown}
          aria-controls={isShown ? `${id}list` : undefined}
          aria-activedescendant={isShown && keys.active >= 0 ? `${id}list-${keys.active}` : undefined}
          autoComplete="off"
          placeholder={tokens.length === 0 ? placeholder : 'Add filter'}
          value={text}
          onClick={() => setOpen(true)}
          onBlur={close}
          onChange={({ target }) => {
            setText(target.value);
            keys.setActive(-1);
            setOpen(true);
          }}
          onKeyDown={(event) => {
            if (event.key === 'ArrowDown' && !isOpen) setOpen(true);
            if (keys.onKeyDown(event)) return;
            if (event.key === 'Enter' && field && text.trim() !== '') {
              setValues(field.key, [text.trim()]);
              setText('');
              close();
            } else if (event.key === 'Enter') search();
            else if (event.key === 'Escape' && isOpen) {
              event.stopPropagation();
              close();
            } else if (event.key === 'Backspace' && text === '') {
              if (field) setFieldKey(undefined);
              else onChange(tokens.slice(0, -1));
            }
          }}
        />
        {tokens.length > 0 && (
          <button type="button" className="ui-clear" aria-label="Clear filters" onClick={() => onChange([])}>
            Clear
          </button>
        )}
      </div>
      {isShown && (
        <Suggestions anchor={frame}>
          <Listbox
            id={`${id}list`}
            label={field ? field.name : 'Filters'}
            options={listed}
            active={keys.active}
            isSelected={isSelected}
            multiple
            onChoose={choose}
            onActive={keys.setActive}
          />
        </Suggestions>
      )}
    </>
  );
}

/** The values of the chosen field; otherwise the fields, and with a text the values of all fields that match it. */
function listOptions(
  text: string,
  field: FilterField | undefined,
  fields: readonly FilterField[],
  options: readonly FilterOption[],
): Option[] {
  const has = (name: string) => name.toLowerCase().includes(text);
  const named = (key: string) => fields.find((one) => one.key === key)?.name ?? key;
  if (field) {
    return options
      .filter(({ key, label }) => key === field.key && has(label))
      .slice(0, maxOptions)
      .map(({ key, value, label }) => ({ value: `value\u0000${key}\u0000${value}`, label }));
  }
  const values = text === '' ? [] : options.filter(({ key, label }) => has(label) || has(`${named(key)}: ${label}`));
  return [
    ...fields.filter(({ name }) => has(name)).map(({ key, name }) => ({ value: `field\u0000${key}`, label: name })),
    ...values
      .slice(0, maxOptions)
      .map(({ key, value, label }) => ({ value: `value\u0000${key}\u0000${value}`, label: `${named(key)}: ${label}` })),
  ];
}
