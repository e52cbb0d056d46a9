import { type ReactNode, useEffect, useRef, useState } from 'react';
import { currentPath, isBackNavigation, navigate } from '../base/router.ts';
import { useShortcuts } from '../ui/screen.ts';
import { sidePanel } from '../ui/side-panel.ts';
import { pageSize } from './list-address.ts';
import { rowHeight } from './record-table.tsx';

// Working through a list with the keyboard: one row is current, its preview is beside the list.

export interface TriageOptions<Item> {
  path(item: Item): string;
  preview(item: Item): { header: string; content: ReactNode };
}

interface TriageState<Item> {
  items: readonly (Item | undefined)[];
  /** The place of the first visible row among the items. */
  firstVisible: number;
  canWrite: boolean;
  /** Extends the selection up to the row if the Shift key is held. */
  select(id: string, isRange: boolean): void;
  /** Fields to edit, by key. */
  editKeys: Readonly<Record<string, string>>;
  edit(item: Item, field: string): void;
}

/** The row that was current last, so that the keyboard continues there when the user comes back. */
let lastId: string | undefined;

/** Returns the properties of the help overlay and a function that shows the preview of the current row, or hides it. */
export function useTriage<Item extends { id: string }>(
  options: TriageOptions<Item> | undefined,
  { items, firstVisible, canWrite, select, editKeys, edit }: TriageState<Item>,
) {
  const [currentId, setCurrent] = useState(() => (isBackNavigation() ? lastId : undefined));
  const [isPreviewing, setPreviewing] = useState(false);
  const [isHelpShown, setHelpShown] = useState(false);
  const setCurrentId = (id: string) => {
    lastId = id;
    setCurrent(id);
  };
  const place = items.findIndex((item) => item?.id === currentId);
  const current = items[place];
  const move = (step: number) => {
    const next = items[Math.max(0, Math.min(items.length - 1, place < 0 ? firstVisible : place + step))];
    if (!next) return;
    setCurrentId(next.id);
    focusRow(next.id);
  };
  const previewed = isPreviewing ? (current ?? items.find((item) => item !== undefined)) : undefined;
  useEffect(() => {
    if (!options || !previewed) return;
    sidePanel.set({ ...options.preview(previewed), onClose: () => setPreviewing(false) });
    return () => sidePanel.set(undefined);
  }, [options, previewed]);
  const onCurrent = (act: (item: Item) => void) => () => {
    if (current) act(current);
  };
  const edits = Object.entries(editKeys).map(([key, field]) => [key, onCurrent((item) => edit(item, field))]);
  useShortcuts(
    options
      ? {
          j: () => move(1),
          k: () => move(-1),
          v: () => setPreviewing(!isPreviewing),
          '?': () => setHelpShown(true),
          ...(canWrite && {
            x: onCurrent(({ id }) => select(id, false)),
            X: onCurrent(({ id }) => select(id, true)),
            e: onCurrent((item) => navigate(`${options.path(item)}/edit`)),
            ...Object.fromEntries(edits),
          }),
        }
      : {},
  );
  return {
    currentId,
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

/**
 * The place of the first row in the window. A list starts at the page of its address, or where the user left it when
 * they come back.
 */
export function useScrolledRow(key: string, page: number, isLoaded: boolean, isWindowed: boolean) {
  const frame = useRef<HTMLDivElement>(null);
  const atPage = (page - 1) * pageSize;
  const [place, setPlace] = useState({ key, first: atPage });
  const first = place.key === key ? place.first : atPage;
  const shown = useRef({ key: '', page });
  shown.current.page = page;
  useEffect(() => {
    if (!isLoaded) return;
    const path = currentPath();
    const top = () => (frame.current ? frame.current.getBoundingClientRect().top + window.scrollY : 0);
    if (shown.current.key !== key) {
      shown.current.key = key;
      const left = isBackNavigation() ? positions.get(key) : undefined;
      const started = (shown.current.page - 1) * pageSize;
      if (left !== undefined) window.scrollTo(0, left);
      else if (started > 0 && isWindowed) window.scrollTo(0, top() + started * rowHeight - topHeight);
    }
    const onScroll = () => {
      if (currentPath() !== path) return;
      if (positions.size > maxRemembered) positions.clear();
      positions.set(key, window.scrollY);
      const above = Math.max(0, window.scrollY + topHeight - top());
      const first = Math.floor((above + 1) / rowHeight / rowStep) * rowStep;
      if (isWindowed) setPlace((before) => (before.key === key && before.first === first ? before : { key, first }));
    };
    window.addEventListener('scroll', onScroll, { passive: true });
    return () => window.removeEventListener('scroll', onScroll);
  }, [key, isLoaded, isWindowed]);
  return { frame, first };
}

/** The bar that stays at the top of the window. */
const topHeight = 44;

/** Rows come and go in groups, so that scrolling by one row draws nothing. */
const rowStep = 5;

/** Selected records by list and query, so that a selection survives a look at a record. */
const selections = new Map<string, readonly { id: string }[]>();

export function useSelection<Item extends { id: string }>(
  key: string,
): [readonly Item[], (items: readonly Item[]) => void] {
  const [, setVersion] = useState(0);
  const select = (items: readonly Item[]) => {
    if (selections.size > maxRemembered) selections.clear();
    selections.set(key, items);
    setVersion((version) => version + 1);
  };
  return [(selections.get(key) ?? []) as readonly Item[], select];
}
