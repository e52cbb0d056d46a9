import './listbox.css';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { Icon } from './icon.tsx';

export interface Option {
  value: string;
  /** The value, if absent. */
  label?: string | undefined;
  /** Beside the label, such as an id. */
  tag?: string | undefined;
  description?: string | undefined;
  disabled?: boolean;
}

interface ListboxProps {
  id: string;
  label: string | undefined;
  labelId?: string | undefined;
  options: readonly Option[];
  active: number;
  isSelected(option: Option): boolean;
  multiple?: boolean;
  onChoose(option: Option): void;
  onActive(place: number): void;
  /** Said instead of the options. */
  status?: string | undefined;
}

export function Listbox({
  id,
  options,
  active,
  isSelected,
  multiple,
  onChoose,
  onActive,
  status,
  ...names
}: ListboxProps) {
  useEffect(() => {
    document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, active]);
  return (
    <>
      <div
        id={id}
        role="listbox"
        aria-label={names.label}
        aria-labelledby={names.labelId}
        aria-multiselectable={multiple || undefined}
        className="ui-listbox"
      >
        {options.map((option, place) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the input or button that has the focus handles the keys.
          // biome-ignore lint/a11y/useFocusableInteractive: the input or button has the focus.
          <div
            key={option.value}
            id={`${id}-${place}`}
            role="option"
            aria-selected={isSelected(option)}
            aria-disabled={option.disabled || undefined}
            className={place === active ? 'ui-option ui-active' : 'ui-option'}
            onPointerMove={() => place !== active && onActive(place)}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => !option.disabled && onChoose(option)}
          >
            <OptionText option={option} />
            {isSelected(option) && <Icon name="check" />}
          </div>
        ))}
      </div>
      {status && (
        <div className="ui-listbox-status" role="status">
          {status}
        </div>
      )}
    </>
  );
}

export function OptionText({ option: { value, label, tag, description } }: { option: Option }) {
  return (
    <span className="ui-option-text">
      <span>{label ?? value}</span>
      {tag && <span className="ui-tag">{tag}</span>}
      {description && <span className="ui-description">{description}</span>}
    </span>
  );
}

/** Moves through the options with the arrow keys. Enter chooses. */
export function useOptionKeys(options: readonly Option[], onChoose: (option: Option) => void) {
  const [active, setActive] = useState(-1);
  const shown = Math.min(active, options.length - 1);
  const onKeyDown = (event: KeyboardEvent): boolean => {
    const steps = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key as keyof typeof steps];
    if (step) {
      setActive((shown + step + options.length + (shown < 0 && step < 0 ? 1 : 0)) % Math.max(1, options.length));
    } else if (event.key === 'Home' && event.ctrlKey) setActive(0);
    else if (event.key === 'Enter' && options[shown] && !options[shown].disabled) onChoose(options[shown]);
    else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  };
  return { active: shown, setActive, onKeyDown };
}

/** Whether an option has all words, in any order. */
export function matches({ value, label = value, tag = '', description = '' }: Option, words: string): boolean {
  const text = `${label} ${tag} ${description}`.toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
