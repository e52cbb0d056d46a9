import { type ReactNode, useId, useRef } from 'react';

export interface MenuItem {
  id: string;
  text: string;
  disabled?: boolean;
}

interface MenuProps {
  /** The name of the button. */
  label: string;
  children: ReactNode;
  /** Explains the menu, above its items. */
  description?: string;
  items: readonly MenuItem[];
  onChoose(id: string): void;
}

/** A button of the top bar that opens a menu. The browser closes it on Escape and on clicks elsewhere. */
export function Menu({ label, children, description, items, onChoose }: MenuProps) {
  const id = useId();
  const menu = useRef<HTMLDivElement>(null);
  const listItems = () => [...(menu.current?.querySelectorAll<HTMLElement>('[role=menuitem]:not(:disabled)') ?? [])];
  const moveFocus = (step: number) => {
    const all = listItems();
    const place = all.findIndex((item) => item.matches(':focus'));
    all[(place + step + all.length) % all.length]?.focus();
  };
  return (
    <div className="menu">
      <button type="button" className="bar-button" aria-label={label} aria-haspopup="menu" popoverTarget={id}>
        {children}
      </button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        role="menu"
        tabIndex={-1}
        aria-label={label}
        className="menu-items"
        onToggle={({ newState }) => {
          if (newState === 'open') listItems()[0]?.focus();
        }}
        onKeyDown={(event) => {
          const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
          if (!step) return;
          event.preventDefault();
          moveFocus(step);
        }}
      >
        {description && <div className="menu-description">{description}</div>}
        {items.map(({ id: itemId, text, disabled = false }) => (
          <button
            key={itemId}
            type="button"
            role="menuitem"
            disabled={disabled}
            onClick={() => {
              menu.current?.hidePopover();
              onChoose(itemId);
            }}
          >
            {text}
          </button>
        ))}
      </div>
    </div>
  );
}
