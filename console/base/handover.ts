import { useEffect, useLayoutEffect } from 'react';

// The first view (first-view.ts) is a script of its own: it shows the incident list while the application loads. The
// application takes over its requests, which are already on their way, and then its place on the screen.

export interface FirstView {
  /** Responses by address. Each is used once. */
  requests: Map<string, Promise<Response>>;
  /** Shows the application instead. */
  end(): void;
}

declare global {
  interface Window {
    firstView?: FirstView;
  }
}

/** Like fetch, but uses the response to the same request of the first view. */
export const fetchFirst: typeof fetch = async (input, init) => {
  const address = String(input);
  const isRead = (init?.method ?? 'GET') === 'GET';
  const response = isRead ? window.firstView?.requests.get(address) : undefined;
  window.firstView?.requests.delete(address);
  return (await response?.catch(() => undefined)) ?? fetch(input, init);
};

export function hasFirstView(): boolean {
  return window.firstView !== undefined;
}

let reportEnd: () => void;

/** Settles when the application has replaced the first view and subscribed to its data. */
export const firstViewEnded = new Promise<void>((resolve) => {
  reportEnd = resolve;
});

/** Ends the first view when the caller is on the screen. */
export function EndFirstView() {
  useLayoutEffect(() => {
    window.firstView?.end();
    delete window.firstView;
  }, []);
  // The other components of this render subscribe in their own effects.
  useEffect(() => {
    setTimeout(reportEnd);
  }, []);
  return null;
}
