import Container from '@cloudscape-design/components/container';
import ContentLayout from '@cloudscape-design/components/content-layout';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import Textarea from '@cloudscape-design/components/textarea';
import { useRef, useState } from 'react';
import { useApi } from '../../api.ts';
import { ProblemView } from '../../components/problem-view.tsx';
import { RecordForm } from '../../components/record-form.tsx';
import { replaceLocation } from '../../location.ts';
import { useAction } from '../../use-action.ts';
import { useMay } from '../../use-may.ts';
import { jobPath } from '../jobs/job-words.ts';
import { ciList } from './ci-words.ts';
import { itemsIn } from './pasted-items.ts';

const sample =
  'name, class, environment, owner\nweb-01, server, production, platform\nweb-02, server, production, platform';

/** Many items at once, as a job whose page tells what became of each. */
export function ImportCisPage() {
  const { client } = useApi();
  const mayImport = useMay('itsm_manager');
  const form = useRef<HTMLFormElement>(null);
  const [text, setText] = useState('');
  const [key, setKey] = useState(() => crypto.randomUUID());
  const action = useAction();
  const submit = () =>
    action.run(async () => {
      const records = itemsIn(text);
      if (records.length === 0) throw new Error('Add at least one item below the header row.');
      const { job_id } = await client.bulkCis({ operation: 'discover', records }, { idempotencyKey: key });
      replaceLocation(jobPath(job_id));
    });
  return (
    <ContentLayout
      header={
        <Header variant="h1" description="Existing items with the same name and class are updated.">
          Import configuration items
        </Header>
      }
    >
      {mayImport ? (
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
                onChange={({ detail }) => {
                  setText(detail.value);
                  setKey(crypto.randomUUID());
                  action.forget();
                }}
              />
            </FormField>
          </Container>
        </RecordForm>
      ) : (
        <ProblemView problem={new Error('You need the Manager role to import configuration items.')} />
      )}
    </ContentLayout>
  );
}
