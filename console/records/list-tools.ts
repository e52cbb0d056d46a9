// Parts of a list that load after its records, as one file.
export { ListSettings } from './list-preferences.tsx';
export { RecordFilter } from './record-filter.tsx';
export { SavedViews } from './saved-views.tsx';
export { TriageHelp } from './triage-help.tsx';
