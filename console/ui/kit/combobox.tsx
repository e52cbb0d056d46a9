import { useId, useRef, useState } from 'react';
import { useField } from './field.tsx';
import { Listbox, matches, type Option, useOptionKeys } from './listbox.tsx';
import { Suggestions } from './popup.tsx';

interface ComboboxProps {
  value: string;
  onChange(value: string): void;
  options: readonly Option[];
  ariaLabel?: string | undefined;
  placeholder?: string;
  autoFocus?: boolean;
  loading?: boolean;
  loadingText?: string;
}

/** An input that suggests values and accepts others. */
export function Combobox(props: ComboboxProps) {
  const { value, onChange, options, ariaLabel, loading = false, loadingText = 'Loading', ...rest } = props;
  const id = useId();
  const { attributes } = useField(ariaLabel);
  const [isOpen, setOpen] = useState(false);
  const shown = options.filter((option) => option.value !== value && matches(option, value));
  const choose = (option: Option) => {
    onChange(option.value);
    setOpen(false);
  };
  const keys = useOptionKeys(isOpen ? shown : [], choose);
  const isShown = isOpen && (shown.length > 0 || loading);
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        {...rest}
        {...attributes}
        ref={input}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={isShown}
        aria-controls={isShown ? `${id}list` : undefined}
        aria-activedescendant={isShown && keys.active >= 0 ? `${id}list-${keys.active}` : undefined}
        autoComplete="off"
        className="ui-input"
        value={value}
        onClick={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onChange={({ target }) => {
          onChange(target.value);
          keys.setActive(-1);
          setOpen(true);
        }}
        onKeyDown={(event) => {
          if (!isOpen && event.key === 'ArrowDown') setOpen(true);
          else if (isShown && event.key === 'Escape') {
            // Closes the suggestions, not the dialog around them.
            event.stopPropagation();
            event.preventDefault();
            setOpen(false);
          } else if (isOpen) keys.onKeyDown(event);
        }}
      />
      {isShown && (
        <Suggestions anchor={input}>
          <Listbox
            id={`${id}list`}
            label="Suggestions"
            options={shown}
            active={keys.active}
            isSelected={() => false}
            onChoose={choose}
            onActive={keys.setActive}
            status={loading ? loadingText : undefined}
          />
        </Suggestions>
      )}
    </>
  );
}
