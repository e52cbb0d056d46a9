import { useRef, useState } from 'react';
import { useApi } from '../../base/api.ts';
import { replaceLocation } from '../../base/router.ts';
import { CreateRecordPage, EditRecordPage } from '../../records/record-editor.tsx';
import { RequireRole } from '../../records/require-role.tsx';
import { RelationsField } from '../../resources/ci-controls.tsx';
import { ciKind, ciList } from '../../resources/ci-words.ts';
import { RecordForm } from '../../ui/forms.tsx';
import { Container, FormField, Textarea } from '../../ui/kit/index.ts';
import { PageLayout } from '../../ui/layouts.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { jobPath } from '../../ui/record-path.ts';
import { useAction } from '../../ui/use-action.ts';
import { parseItems } from './pasted-items.ts';

const controls = { relations: RelationsField };

export function CreateCiPage() {
  return (
    <CreateRecordPage
      kind={ciKind}
      title="Add configuration item"
      description="A system your organization operates, and the items it depends on."
      controls={controls}
      empty={{ class: '' }}
      submitText="Add item"
    />
  );
}

export function EditCiPage({ id }: { id: string }) {
  return <EditRecordPage kind={ciKind} id={id} controls={controls} />;
}

const sample =
  'name, class, environment, owner\nweb-01, server, production, platform\nweb-02, server, production, platform';

/** Imports many items with a job, whose page shows the result of each. */
export function ImportCisPage() {
  const { client } = useApi();
  const form = useRef<HTMLFormElement>(null);
  const [text, setText] = useState('');
  const [key, setKey] = useState(() => crypto.randomUUID());
  const action = useAction();
  const submit = () =>
    action.run(async () => {
      const records = parseItems(text);
      if (records.length === 0) throw new Error('Add at least one item below the header row.');
      const { job_id } = await client.bulkCis({ operation: 'discover', records }, { idempotencyKey: key });
      replaceLocation(jobPath(job_id));
    });
  return (
    <PageLayout
      title="Import configuration items"
      description="Existing items with the same name and class are updated."
    >
      <RequireRole minRole="itsm_manager" action="import configuration items">
        <RecordForm ref={form} submitText="Import items" onSubmit={submit} saving={action.busy} cancelTo={ciList}>
          {action.problem !== undefined && <ProblemView problem={action.problem} />}
          <Container>
            <FormField
              label="Items"
              description="Paste rows from a spreadsheet or CSV file, up to 100 items. The first row must contain field names: name, class, status, environment, owner, location, ip_address."
              stretch
            >
              <Textarea
                value={text}
                rows={14}
                placeholder={sample}
                spellcheck={false}
                onChange={(value) => {
                  setText(value);
                  setKey(crypto.randomUUID());
                  action.forget();
                }}
              />
            </FormField>
          </Container>
        </RecordForm>
      </RequireRole>
    </PageLayout>
  );
}
