// What opens beside or above the list of incidents, as one file.
export { BulkUpdate } from './bulk-update.tsx';
export { FieldEditor } from './field-editor.tsx';
export { IncidentPreview } from './incident-preview.tsx';
