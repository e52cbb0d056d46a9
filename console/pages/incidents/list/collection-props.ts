import type { ReactNode } from 'react';
import type { IncidentSort } from '../../../../contract/incidents.ts';
import type { Incident } from '../incident-words.ts';
import type { ListView } from './list-view.ts';

/** What the table, and the cards of small screens, are given alike. */
export interface CollectionProps {
  incidents: readonly Incident[];
  loading: boolean;
  view: ListView;
  total: number | undefined;
  onSort(sort: IncidentSort, order: ListView['order']): void;
  /** Undefined where nothing can be selected. */
  selected: readonly Incident[] | undefined;
  onSelect(incidents: readonly Incident[]): void;
  header: ReactNode;
  filter: ReactNode;
  pagination: ReactNode;
  preferences: ReactNode;
  empty: ReactNode;
}
