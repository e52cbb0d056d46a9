import { useEffect, useId, useRef, useState } from 'react';
import { Listbox, type Option, useOptionKeys } from '../ui/kit/index.ts';
import { PopupFrame, usePopup } from '../ui/kit/popup.tsx';

interface ChoicePopupProps {
  label: string;
  /** The element that it opens at. */
  anchorId: string;
  options: readonly Option[];
  value: string;
  onChoose(value: string): void;
  onClose(): void;
}

/** A list to choose from, with an input that narrows it, open from the start. */
export function ChoicePopup({ label, anchorId, options, value, onChoose, onClose }: ChoicePopupProps) {
  const id = useId();
  const popup = usePopup();
  const [words, setWords] = useState('');
  const shown = options.filter((option) => `${option.label ?? ''} ${option.value}`.toLowerCase().includes(words));
  const keys = useOptionKeys(shown, (option) => onChoose(option.value));
  const { open, button, isOpen } = popup;
  const wasOpen = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it opens once.
  useEffect(() => {
    const anchor = document.getElementById(anchorId);
    if (anchor instanceof HTMLButtonElement) button.current = anchor;
    open();
    keys.setActive(0);
    return () => anchor?.focus();
  }, []);
  useEffect(() => {
    if (wasOpen.current && !isOpen) onClose();
    wasOpen.current = isOpen;
  }, [isOpen, onClose]);
  return (
    <PopupFrame id={`${id}popup`} frame={popup.frame} className="ui-choices">
      <input
        role="combobox"
        aria-expanded="true"
        aria-autocomplete="list"
        aria-controls={`${id}list`}
        aria-activedescendant={keys.active >= 0 ? `${id}list-${keys.active}` : undefined}
        aria-label={label}
        placeholder={label}
        className="ui-input"
        autoComplete="off"
        value={words}
        onChange={({ target }) => {
          setWords(target.value.toLowerCase());
          keys.setActive(0);
        }}
        onKeyDown={keys.onKeyDown}
      />
      <Listbox
        id={`${id}list`}
        label={label}
        options={shown}
        active={keys.active}
        isSelected={(option) => option.value === value}
        onChoose={(option) => onChoose(option.value)}
        onActive={keys.setActive}
        status={shown.length === 0 ? 'Nothing found' : undefined}
      />
    </PopupFrame>
  );
}
