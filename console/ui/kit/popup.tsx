import './popup.css';
import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react';

// Popups are popovers of the browser: above everything, also above dialogs, and closed by Escape and by clicks elsewhere.

const gap = 4;
const margin = 8;

/** Puts a popup below its anchor, or above where there is more room, and keeps it in the window. */
function place(popup: HTMLElement, anchor: HTMLElement, align: 'start' | 'end'): void {
  const box = anchor.getBoundingClientRect();
  popup.style.setProperty('--anchor-width', `${box.width}px`);
  popup.style.maxBlockSize = '';
  const [above, below] = [box.top - gap - margin, innerHeight - box.bottom - gap - margin];
  const isAbove = popup.offsetHeight > below && above > below;
  popup.style.maxBlockSize = `${Math.max(120, isAbove ? above : below)}px`;
  const left = align === 'start' ? box.left : box.right - popup.offsetWidth;
  popup.style.left = `${Math.max(margin, Math.min(left, innerWidth - popup.offsetWidth - margin))}px`;
  popup.style.top = `${isAbove ? box.top - gap - popup.offsetHeight : box.bottom + gap}px`;
}

/** Keeps an open popup in place while the page scrolls and its content changes. */
function usePlace(
  isOpen: boolean,
  popup: RefObject<HTMLElement | null>,
  anchor: RefObject<HTMLElement | null>,
  align: 'start' | 'end',
): void {
  useLayoutEffect(() => {
    const [shown, beside] = [popup.current, anchor.current];
    if (!isOpen || !shown || !beside) return;
    const move = () => place(shown, beside, align);
    move();
    const observer = new ResizeObserver(move);
    for (const element of [shown, beside]) observer.observe(element);
    addEventListener('scroll', move, { capture: true, passive: true });
    addEventListener('resize', move);
    return () => {
      observer.disconnect();
      removeEventListener('scroll', move, { capture: true });
      removeEventListener('resize', move);
    };
  }, [isOpen, popup, anchor, align]);
}

/** The state of a popup that a button opens. The button needs `popoverTarget` with the id of the popup. */
export function usePopup(onOpen?: () => void) {
  const popup = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  return {
    isOpen,
    button,
    open: () => popup.current?.showPopover(),
    close: () => popup.current?.hidePopover(),
    frame: { popup, button, isOpen, setOpen, onOpen },
  };
}

interface PopupFrameProps {
  id: string;
  frame: ReturnType<typeof usePopup>['frame'];
  align?: 'start' | 'end';
  className?: string;
  role?: 'dialog';
  label?: string | undefined;
  children: ReactNode;
}

/** What a button opens. Its first control gets the focus; the button gets it back. */
export function PopupFrame({ id, frame, align = 'start', className = '', role, label, children }: PopupFrameProps) {
  const { popup, button, isOpen, setOpen, onOpen } = frame;
  usePlace(isOpen, popup, button, align);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only follows the focus of what is inside.
    <div
      ref={popup}
      id={id}
      popover="auto"
      {...(role ? { role, 'aria-label': label } : {})}
      className={`ui-popup ${className}`}
      onBeforeToggle={({ newState, target, currentTarget }) => {
        if (newState !== 'open' || target !== currentTarget) return;
        onOpen?.();
        setOpen(true);
      }}
      onBlur={({ relatedTarget, currentTarget }) => {
        const isLeaving = relatedTarget && relatedTarget !== button.current && !currentTarget.contains(relatedTarget);
        if (isLeaving) currentTarget.hidePopover();
      }}
      // Nothing can be focused before the popup is shown. The browser returns the focus before it reports the end.
      onToggle={({ newState, target, currentTarget }) => {
        if (target !== currentTarget) return;
        if (newState === 'closed') setOpen(false);
        else currentTarget.querySelector<HTMLElement>('input, button, [role=menuitem]')?.focus();
      }}
    >
      {isOpen && children}
    </div>
  );
}

/** Suggestions below an input, which keeps the focus and says when they are shown. */
export function Suggestions({ anchor, children }: { anchor: RefObject<HTMLElement | null>; children: ReactNode }) {
  const popup = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => popup.current?.showPopover(), []);
  usePlace(true, popup, anchor, 'start');
  return (
    <div ref={popup} popover="manual" className="ui-popup ui-choices">
      {children}
    </div>
  );
}
