import Checkbox from '@cloudscape-design/components/checkbox';
import { useState } from 'react';
import { useApi } from '../../api.ts';
import { replaceLocation } from '../../location.ts';
import { creationOf, emptyDraft } from '../../records/record-draft.ts';
import { RecordEditor } from '../../records/record-editor.tsx';
import { changeFields, changeList, changePath, changeSections, changeWords } from './change-words.ts';

export function CreateChangePage() {
  const { client } = useApi();
  const [isDraft, setDraft] = useState(false);
  return (
    <RecordEditor
      title="Create change"
      description="Another manager must approve this change."
      sections={changeSections}
      words={changeWords}
      first={emptyDraft(changeFields)}
      submitText={isDraft ? 'Save draft' : 'Submit change'}
      cancelTo={changeList}
      save={async (draft, key) => {
        const creation = { short_description: '', ...creationOf(draft, changeFields) };
        const state = isDraft ? ('draft' as const) : ('submitted' as const);
        const { id } = await client.createChange({ ...creation, state }, { idempotencyKey: `${key}-${state}` });
        replaceLocation(changePath(id));
      }}
    >
      <Checkbox
        checked={isDraft}
        onChange={({ detail }) => setDraft(detail.checked)}
        description="Drafts are not sent for approval until you submit them."
      >
        Save as draft
      </Checkbox>
    </RecordEditor>
  );
}
