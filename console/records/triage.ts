import { type ReactNode, useEffect, useState } from 'react';
import { isBackNavigation, navigate } from '../base/router.ts';
import { useShortcuts } from '../ui/screen.ts';
import { sidePanel } from '../ui/side-panel.ts';

// Working through a list with the keyboard: one row is current, its preview is beside the list.

export interface TriageOptions<Item> {
  path(item: Item): string;
  preview(item: Item): { header: string; content: ReactNode };
  /** Assigns the record to the user. */
  assign?(item: Item): void;
}

interface TriageState<Item> {
  items: readonly Item[];
  canWrite: boolean;
  toggleSelection(id: string): void;
}

/** The row that was current last, so that the keyboard continues there when the user comes back. */
let lastId: string | undefined;

/** Returns the properties of the help overlay and a function that shows the preview of the current row, or hides it. */
export function useTriage<Item extends { id: string }>(
  options: TriageOptions<Item> | undefined,
  { items, canWrite, toggleSelection }: TriageState<Item>,
) {
  const [currentId, setCurrent] = useState(() => (isBackNavigation() ? lastId : undefined));
  const [isPreviewing, setPreviewing] = useState(false);
  const [isHelpShown, setHelpShown] = useState(false);
  const setCurrentId = (id: string) => {
    lastId = id;
    setCurrent(id);
  };
  const place = items.findIndex(({ id }) => id === currentId);
  const current = items[place];
  const move = (step: number) => {
    const next = items[Math.max(0, Math.min(items.length - 1, place < 0 ? 0 : place + step))];
    if (!next) return;
    setCurrentId(next.id);
    focusRow(next.id);
  };
  const previewed = isPreviewing ? (current ?? items[0]) : undefined;
  useEffect(() => {
    if (!options || !previewed) return;
    sidePanel.set({ ...options.preview(previewed), onClose: () => setPreviewing(false) });
    return () => sidePanel.set(undefined);
  }, [options, previewed]);
  const onCurrent = (act: (item: Item) => void) => () => {
    if (current) act(current);
  };
  useShortcuts(
    options
      ? {
          j: () => move(1),
          k: () => move(-1),
          p: () => setPreviewing(!isPreviewing),
          '?': () => setHelpShown(true),
          ...(canWrite && {
            x: onCurrent(({ id }) => toggleSelection(id)),
            e: onCurrent((item) => navigate(`${options.path(item)}/edit`)),
            ...(options.assign && { a: onCurrent(options.assign) }),
          }),
        }
      : {},
  );
  return {
    isPreviewing,
    togglePreview: () => setPreviewing(!isPreviewing),
    setCurrent: setCurrentId,
    help: isHelpShown && { canWrite, onClose: () => setHelpShown(false) },
  };
}

function focusRow(id: string): void {
  const link = document.querySelector<HTMLElement>(`main a[href$="/${CSS.escape(id)}"]`);
  link?.focus();
  link?.scrollIntoView({ block: 'nearest' });
}

const maxRemembered = 20;
const positions = new Map<string, number>();

/** Returns to the scroll position when the user comes back to a list. */
export function useScrollPosition(key: string, isLoaded: boolean): void {
  useEffect(() => {
    if (!isLoaded) return;
    const position = positions.get(key);
    if (position !== undefined && isBackNavigation()) window.scrollTo(0, position);
    const save = () => {
      if (positions.size > maxRemembered) positions.clear();
      positions.set(key, window.scrollY);
    };
    window.addEventListener('scroll', save, { passive: true });
    return () => window.removeEventListener('scroll', save);
  }, [key, isLoaded]);
}

/** Selected ids by list and query, so that a selection survives a look at a record. */
const selections = new Map<string, readonly string[]>();

export function useSelection(key: string): [readonly string[], (ids: readonly string[]) => void] {
  const [, setVersion] = useState(0);
  const select = (ids: readonly string[]) => {
    if (selections.size > maxRemembered) selections.clear();
    selections.set(key, ids);
    setVersion((version) => version + 1);
  };
  return [selections.get(key) ?? [], select];
}
