import { useEffect, useRef } from 'react';
import { createStore } from '../base/store.ts';

export interface PageAction {
  text: string;
  run(): void;
}

/** What the user can do with the record of the current page. */
export const pageActions = createStore<readonly PageAction[]>([]);

/** Offers actions on the record of the page in the search over everything. */
export function usePageActions(actions: readonly PageAction[]): void {
  const latest = useRef(actions);
  latest.current = actions;
  const texts = JSON.stringify(actions.map(({ text }) => text));
  useEffect(() => {
    const run = (text: string) => latest.current.find((action) => action.text === text)?.run();
    pageActions.set((JSON.parse(texts) as string[]).map((text) => ({ text, run: () => run(text) })));
    return () => pageActions.set([]);
  }, [texts]);
}
