import { useApi } from '../../api.ts';
import { replaceLocation } from '../../location.ts';
import { creationOf, emptyDraft } from '../../records/record-draft.ts';
import { RecordEditor } from '../../records/record-editor.tsx';
import { requestFields, requestList, requestPath, requestSections, requestWords } from './request-words.ts';

export function CreateRequestPage() {
  const { client } = useApi();
  return (
    <RecordEditor
      title="Create request"
      description="A manager other than you and the person it is for must approve this request."
      sections={requestSections}
      words={requestWords}
      first={emptyDraft(requestFields)}
      submitText="Submit request"
      cancelTo={requestList}
      save={async (draft, key) => {
        const creation = { short_description: '', ...creationOf(draft, requestFields) };
        const { id } = await client.createRequest(creation, { idempotencyKey: key });
        replaceLocation(requestPath(id));
      }}
    />
  );
}
