import { hasRole } from '../../contract/roles.ts';
import { useCaller } from '../base/caller.tsx';
import { type Page, pages } from './pages.ts';

/** The pages that navigation and search offer to the user. */
export function useOfferedPages(): readonly Page[] {
  const { data } = useCaller();
  const isOffered = ({ section, minRole = 'viewer' }: Page) =>
    section !== undefined && (minRole === 'viewer' || hasRole(data?.roles ?? [], minRole));
  return pages.filter(isOffered);
}
