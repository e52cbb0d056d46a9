// What opens beside or above the list of incidents, as one file.
export { BulkUpdate } from './bulk-update.tsx';
export { IncidentPreview } from './incident-preview.tsx';
