import { useHasRole } from '../../base/caller.tsx';
import { CreateRecordPage, EditRecordPage } from '../../records/record-editor.tsx';
import { createKind } from '../../records/record-kind.ts';
import { articleKind } from '../../resources/article-words.ts';
import { incidentControls } from '../../resources/incident-controls.tsx';
import { useKnownValues } from '../../resources/known-values.ts';

/** Only managers publish, so only they choose the state. */
function useForm() {
  const isManager = useHasRole('itsm_manager');
  useKnownValues();
  const isOffered = ({ name }: { name: string }) => isManager || name !== 'state';
  const { name, listTo, words, sections } = articleKind;
  const offered = sections.map((section) => ({ ...section, fields: section.fields.filter(isOffered) }));
  return { kind: createKind(name, listTo, words, offered), controls: incidentControls };
}

export function CreateArticlePage() {
  return <CreateRecordPage {...useForm()} title="Create article" submitText="Save article" />;
}

export function EditArticlePage({ id }: { id: string }) {
  return <EditRecordPage {...useForm()} id={id} />;
}
