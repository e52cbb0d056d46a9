// Parts of a list that load after its records, as one file.
export { default as CollectionPreferences } from '@cloudscape-design/components/collection-preferences';
export { default as DateRangePicker } from '@cloudscape-design/components/date-range-picker';
