import { useState } from 'react';

// Which columns the user wants, stored by the browser; what the table shows is in the address.

/** The columns in their order. */
export type ShownColumns = readonly { id: string; visible: boolean }[];

export interface Column {
  id: string;
  header?: React.ReactNode;
  /** Hidden until the user shows it. */
  hidden?: true;
}

export function useShownColumns(things: string, columns: readonly Column[]) {
  const storageKey = `console.${things}.columns`;
  const [shown, setShown] = useState(() => readColumns(storageKey, columns));
  const change = (next: ShownColumns) => {
    setShown(next);
    localStorage.setItem(storageKey, JSON.stringify(next));
  };
  return { shown, change };
}

/** An older console may have stored other columns; then the defaults apply. */
function readColumns(storageKey: string, columns: readonly Column[]): ShownColumns {
  const defaults = columns.map(({ id, hidden }) => ({ id, visible: !hidden }));
  try {
    const stored: ShownColumns = JSON.parse(localStorage.getItem(storageKey) ?? '[]');
    const format = (some: readonly Column[]) =>
      some
        .map(({ id }) => id)
        .sort()
        .join();
    return format(stored) === format(columns) ? stored : defaults;
  } catch {
    return defaults;
  }
}
