import CollectionPreferences, {
  type CollectionPreferencesProps,
} from '@cloudscape-design/components/collection-preferences';
import { pageSizes } from './list-address.ts';
import type { Column, ListPreferences } from './use-list-preferences.ts';

interface ListSettingsProps {
  things: string;
  columns: readonly Column[];
  preferences: ListPreferences;
  limit: number;
  onChange(part: CollectionPreferencesProps.Preferences): void;
}

export function ListSettings({ things, columns, preferences, limit, onChange }: ListSettingsProps) {
  return (
    <CollectionPreferences
      title="Preferences"
      confirmLabel="Confirm"
      cancelLabel="Cancel"
      preferences={{ ...preferences, pageSize: limit }}
      pageSizePreference={{
        title: 'Page size',
        options: pageSizes.map((value) => ({ value, label: `${value} ${things}` })),
      }}
      wrapLinesPreference={{ label: 'Wrap lines', description: 'Show the full text' }}
      contentDensityPreference={{ label: 'Compact', description: 'Show more rows' }}
      contentDisplayPreference={{
        title: 'Columns',
        options: columns.map(({ id, header }, index) => ({
          id,
          label: String(header),
          alwaysVisible: index === 0,
        })),
      }}
      onConfirm={({ detail }) => onChange(detail)}
    />
  );
}
