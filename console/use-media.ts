import { useSyncExternalStore } from 'react';

/** Below this, Cloudscape lays pages out for phones. */
const narrow = '(max-width: 688px)';

export function useNarrowScreen(): boolean {
  return useSyncExternalStore(
    (listener) => {
      const query = matchMedia(narrow);
      query.addEventListener('change', listener);
      return () => query.removeEventListener('change', listener);
    },
    () => matchMedia(narrow).matches,
  );
}
