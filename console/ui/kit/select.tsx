import { type KeyboardEvent, type ReactNode, useId, useState } from 'react';
import { useField } from './field.tsx';
import { Icon } from './icon.tsx';
import { Listbox, matches, type Option, OptionText, useOptionKeys } from './listbox.tsx';
import { PopupFrame, usePopup } from './popup.tsx';

interface ChoiceProps {
  options: readonly Option[];
  ariaLabel?: string | undefined;
  placeholder?: string;
  disabled?: boolean;
  autoFocus?: boolean;
  /** Offers an input that finds options. */
  filter?: { label?: string; placeholder?: string };
  /** Finds options elsewhere; without it the input narrows those given. Called with '' when the list opens. */
  onFilter?(text: string): void;
  loading?: boolean;
  loadingText?: string;
  empty?: string;
}

interface SelectProps extends ChoiceProps {
  value: string | undefined;
  /** Shown while the options lack the value. */
  fallback?: Option | undefined;
  onChange(value: string): void;
}

/** A button with a list to choose one of. */
export function Select({ value, fallback, onChange, ...rest }: SelectProps) {
  const known = rest.options.find((option) => option.value === value);
  const chosen = known ?? fallback ?? (value ? { value } : undefined);
  return (
    <Chooser
      {...rest}
      isSelected={(option) => option.value === value}
      text={chosen ? <OptionText option={{ ...chosen, description: undefined }} /> : undefined}
      onChoose={(option, close) => {
        close();
        onChange(option.value);
      }}
    />
  );
}

interface MultiSelectProps extends ChoiceProps {
  values: readonly string[];
  onChange(values: string[]): void;
  removeLabel?(option: Option): string;
}

/** A list to choose several of; it stays open. */
export function MultiSelect({ values, onChange, removeLabel, ...rest }: MultiSelectProps) {
  const chosen = rest.options.filter(({ value }) => values.includes(value));
  const toggle = ({ value }: Option) =>
    onChange(values.includes(value) ? values.filter((other) => other !== value) : [...values, value]);
  return (
    <div className="ui-stack ui-gap-xs">
      <Chooser {...rest} multiple isSelected={({ value }) => values.includes(value)} onChoose={toggle} />
      {chosen.length > 0 && (
        <Tokens
          items={chosen.map((option) => ({
            label: option.label ?? option.value,
            dismissLabel: removeLabel?.(option) ?? `Remove ${option.label ?? option.value}`,
          }))}
          onDismiss={(place) => onChange(values.filter((value) => value !== chosen[place]?.value))}
        />
      )}
    </div>
  );
}

interface ChooserProps extends ChoiceProps {
  text?: ReactNode;
  multiple?: boolean;
  isSelected(option: Option): boolean;
  onChoose(option: Option, close: () => void): void;
}

function Chooser(props: ChooserProps) {
  const { options, ariaLabel, placeholder = 'Choose one', filter, onFilter, text, multiple, isSelected } = props;
  const id = useId();
  const { labelId, attributes } = useField(ariaLabel);
  const [words, setWords] = useState('');
  const shown = onFilter || words === '' ? options : options.filter((option) => matches(option, words));
  const popup = usePopup(() => {
    setWords('');
    onFilter?.('');
    keys.setActive(Math.max(0, options.findIndex(isSelected)));
  });
  const keys = useOptionKeys(shown, (option) => props.onChoose(option, popup.close));
  const list = {
    'aria-controls': `${id}list`,
    'aria-activedescendant': keys.active >= 0 ? `${id}list-${keys.active}` : undefined,
  };
  const status = props.loading
    ? (props.loadingText ?? 'Loading')
    : shown.length === 0
      ? (props.empty ?? 'Nothing found')
      : undefined;
  return (
    <>
      <button
        {...attributes}
        ref={popup.button}
        type="button"
        className="ui-input ui-select"
        popoverTarget={`${id}popup`}
        aria-haspopup="listbox"
        aria-expanded={popup.isOpen}
        aria-labelledby={`${labelId ?? attributes.id} ${id}text`}
        disabled={props.disabled}
        // biome-ignore lint/a11y/noAutofocus: the user has just opened this editor.
        autoFocus={props.autoFocus}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
          event.preventDefault();
          popup.open();
        }}
      >
        <span id={`${id}text`}>{text ?? <span className="ui-muted">{placeholder}</span>}</span>
        <Icon name="down" />
      </button>
      <PopupFrame id={`${id}popup`} frame={popup.frame} className="ui-choices">
        {filter ? (
          <input
            role="combobox"
            aria-expanded="true"
            aria-autocomplete="list"
            aria-label={filter.label ?? 'Find'}
            placeholder={filter.placeholder ?? 'Find'}
            className="ui-input"
            autoComplete="off"
            value={words}
            {...list}
            onChange={({ target }) => {
              setWords(target.value);
              onFilter?.(target.value);
              keys.setActive(0);
            }}
            onKeyDown={keys.onKeyDown}
          />
        ) : (
          <KeyCatcher
            {...list}
            labelledby={labelId}
            label={ariaLabel}
            options={shown}
            onKeyDown={keys.onKeyDown}
            onActive={keys.setActive}
          />
        )}
        <Listbox
          id={`${id}list`}
          label={ariaLabel ?? (labelId ? undefined : placeholder)}
          labelId={labelId}
          options={shown}
          active={keys.active}
          isSelected={isSelected}
          {...(multiple ? { multiple } : {})}
          onChoose={(option) => props.onChoose(option, popup.close)}
          onActive={keys.setActive}
          status={status}
        />
      </PopupFrame>
    </>
  );
}

interface KeyCatcherProps {
  label: string | undefined;
  labelledby: string | undefined;
  options: readonly Option[];
  onKeyDown(event: KeyboardEvent): boolean;
  onActive(place: number): void;
}

/** Has the focus while the list is open. Typed letters jump to the option that starts with them. */
function KeyCatcher({ label, labelledby, options, onKeyDown, onActive, ...list }: KeyCatcherProps) {
  const [typed, setTyped] = useState({ text: '', at: 0 });
  return (
    <input
      role="combobox"
      aria-expanded="true"
      aria-label={label ?? (labelledby ? undefined : 'Choose')}
      aria-labelledby={labelledby}
      className="visually-hidden"
      readOnly
      value=""
      {...list}
      onKeyDown={(event) => {
        if (onKeyDown(event) || event.key.length !== 1) return;
        const text = (event.timeStamp - typed.at < 800 ? typed.text : '') + event.key.toLowerCase();
        setTyped({ text, at: event.timeStamp });
        const place = options.findIndex(({ label, value }) => (label ?? value).toLowerCase().startsWith(text));
        if (place >= 0) onActive(place);
      }}
    />
  );
}

interface TokensProps {
  items: readonly { label: string; tag?: string | undefined; dismissLabel: string }[];
  onDismiss(place: number): void;
}

/** Chosen values, which can be removed. */
export function Tokens({ items, onDismiss }: TokensProps) {
  return (
    <ul className="ui-tokens">
      {items.map(({ label, tag, dismissLabel }, place) => (
        <li key={dismissLabel} className="ui-token">
          <span>{label}</span>
          {tag && <span className="ui-tag">{tag}</span>}
          <button type="button" aria-label={dismissLabel} onClick={() => onDismiss(place)}>
            <Icon name="close" />
          </button>
        </li>
      ))}
    </ul>
  );
}
