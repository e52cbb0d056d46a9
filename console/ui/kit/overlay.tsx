import './overlay.css';
import { Fragment, type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { Button, Spinner } from './button.tsx';
import { Icon, type IconName } from './icon.tsx';
import { PopupFrame, usePopup } from './popup.tsx';

interface ModalProps {
  title: string;
  size?: 'small' | 'medium' | 'large' | undefined;
  footer?: ReactNode;
  onDismiss(): void;
  children: ReactNode;
}

/** A dialog above the page. Its first field has the focus. The browser keeps the focus inside and returns it at the end. */
export function Modal({ title, size = 'medium', footer, onDismiss, children }: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    (shown?.querySelector<HTMLElement>('.ui-modal-body :is(input, textarea)') ?? shown)?.focus();
    return () => shown?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={`ui-modal ui-modal-${size}`}
      aria-labelledby={id}
      tabIndex={-1}
      onCancel={(event) => {
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        onDismiss();
      }}
    >
      <div className="ui-modal-header">
        <h2 id={id}>{title}</h2>
        <Button variant="icon" icon="close" ariaLabel="Close" onClick={onDismiss} />
      </div>
      <div className="ui-modal-body">{children}</div>
      {footer && <div className="ui-modal-footer">{footer}</div>}
    </dialog>
  );
}

export interface MenuItem {
  id: string;
  text: string;
  icon?: IconName;
  disabled?: boolean;
}

interface MenuGroup {
  text: string;
  items: readonly MenuItem[];
}

interface MenuProps {
  /** The name of the button, if not its text. */
  ariaLabel?: string;
  /** What the button shows. */
  children?: ReactNode;
  /** Without a text the button is this icon. */
  icon?: IconName;
  /** The look of the button, if not that of others. */
  className?: string;
  /** Explains the menu, above its items. */
  description?: string | undefined;
  items: readonly (MenuItem | MenuGroup)[];
  loading?: boolean;
  onChoose(id: string): void;
}

/** A button that opens a menu. Arrow keys move through it. */
export function Menu({ ariaLabel, children, icon, description, items, loading, onChoose, ...rest }: MenuProps) {
  const { className = children === undefined ? 'ui-button ui-button-icon ui-square' : 'ui-button' } = rest;
  const id = useId();
  const popup = usePopup();
  const choose = (chosen: string) => {
    popup.close();
    onChoose(chosen);
  };
  return (
    <>
      <button
        ref={popup.button}
        type="button"
        className={className}
        popoverTarget={id}
        aria-haspopup="menu"
        aria-expanded={popup.isOpen}
        aria-label={ariaLabel}
        title={children === undefined ? ariaLabel : undefined}
      >
        {loading ? <Spinner /> : icon && <Icon name={icon} />}
        {children}
        {children !== undefined && !icon && !rest.className && <Icon name="down" />}
      </button>
      <PopupFrame id={id} frame={popup.frame} align="end" className="ui-menu">
        {description && <div className="ui-menu-label">{description}</div>}
        <div role="menu" tabIndex={-1} aria-label={ariaLabel ?? 'Menu'} onKeyDown={moveFocus}>
          {items.map((item) =>
            'items' in item ? (
              <Fragment key={item.text}>
                <div className="ui-menu-label">{item.text}</div>
                {item.items.map((one) => (
                  <Entry key={one.id} item={one} onChoose={choose} />
                ))}
                <hr className="ui-menu-line" />
              </Fragment>
            ) : (
              <Entry key={item.id} item={item} onChoose={choose} />
            ),
          )}
        </div>
      </PopupFrame>
    </>
  );
}

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const entries = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=menuitem]:not(:disabled)')];
  const current = entries.indexOf(document.activeElement as HTMLElement);
  const places: Readonly<Record<string, number>> = { ArrowDown: current + 1, ArrowUp: current - 1, Home: 0, End: -1 };
  const next = places[event.key];
  if (next === undefined) return;
  event.preventDefault();
  entries.at(next === entries.length ? 0 : next)?.focus();
}

function Entry({ item, onChoose }: { item: MenuItem; onChoose(id: string): void }) {
  return (
    <button
      type="button"
      role="menuitem"
      className="ui-option"
      disabled={item.disabled ?? false}
      onClick={() => onChoose(item.id)}
    >
      <span className="ui-option-text">
        {item.icon && <Icon name={item.icon} />}
        {item.text}
      </span>
    </button>
  );
}

interface PopupProps {
  /** The name of the button and of what it opens. */
  label: string;
  icon?: IconName;
  /** What the button shows; without it, only the icon. */
  text?: string;
  children: ReactNode;
}

/** A button that opens a small panel. */
export function Popup({ label, icon, text, children }: PopupProps) {
  const id = useId();
  const popup = usePopup();
  return (
    <>
      <button
        ref={popup.button}
        type="button"
        className={text === undefined ? 'ui-button ui-button-icon ui-square' : 'ui-button'}
        popoverTarget={id}
        aria-haspopup="dialog"
        aria-expanded={popup.isOpen}
        aria-label={text === undefined ? label : `${label}: ${text}`}
        title={label}
      >
        {icon && <Icon name={icon} />}
        {text}
      </button>
      <PopupFrame id={id} frame={popup.frame} align="end" className="ui-panel" role="dialog" label={label}>
        {children}
      </PopupFrame>
    </>
  );
}
