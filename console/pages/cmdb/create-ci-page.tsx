import { useApi } from '../../api.ts';
import { replaceLocation } from '../../location.ts';
import { creationOf, emptyDraft } from '../../records/record-draft.ts';
import { RecordEditor } from '../../records/record-editor.tsx';
import { ciFields, ciList, ciPath, ciSections, ciWords } from './ci-words.ts';

export function CreateCiPage() {
  const { client } = useApi();
  return (
    <RecordEditor
      title="Add configuration item"
      description="A system your organization operates, and the items it depends on."
      sections={ciSections}
      words={ciWords}
      first={emptyDraft(ciFields)}
      submitText="Add item"
      cancelTo={ciList}
      save={async (draft, key) => {
        const creation = { name: '', class: '', ...creationOf(draft, ciFields) };
        const { id } = await client.createCi(creation, { idempotencyKey: key });
        replaceLocation(ciPath(id));
      }}
    />
  );
}
