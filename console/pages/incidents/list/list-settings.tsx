import CollectionPreferences from '@cloudscape-design/components/collection-preferences';
import { useStore } from '../../../use-store.ts';
import { incidentColumns } from './incident-columns.tsx';
import { changePreferences, listPreferences } from './list-preferences.ts';
import { type ListView, pageSizes } from './list-view.ts';

interface ListSettingsProps {
  view: ListView;
  onPageSize(limit: number): void;
}

export function ListSettings({ view, onPageSize }: ListSettingsProps) {
  const preferences = useStore(listPreferences);
  return (
    <CollectionPreferences
      title="Preferences"
      confirmLabel="Confirm"
      cancelLabel="Cancel"
      preferences={{ ...preferences, pageSize: view.limit }}
      pageSizePreference={{
        title: 'Incidents per page',
        options: pageSizes.map((value) => ({ value, label: `${value} incidents` })),
      }}
      wrapLinesPreference={{ label: 'Wrap lines', description: 'Show the full text' }}
      contentDensityPreference={{ label: 'Compact', description: 'Show more rows' }}
      contentDisplayPreference={{
        title: 'Columns',
        options: incidentColumns.map(({ id, name }) => ({ id, label: name, alwaysVisible: id === 'id' })),
      }}
      onConfirm={({ detail }) => {
        changePreferences(detail);
        if (detail.pageSize !== undefined && detail.pageSize !== view.limit) onPageSize(detail.pageSize);
      }}
    />
  );
}
