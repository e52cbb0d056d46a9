import ContentLayout from '@cloudscape-design/components/content-layout';
import Header from '@cloudscape-design/components/header';
import { type ReactNode, useRef, useState } from 'react';
import { ProblemView } from '../components/problem-view.tsx';
import { RecordForm } from '../components/record-form.tsx';
import { divideProblem } from '../field-problems.ts';
import { focusFirstProblem } from '../focus-first-problem.ts';
import { useAction } from '../use-action.ts';
import { useMay } from '../use-may.ts';
import type { Draft } from './record-draft.ts';
import { type FieldSection, RecordFields } from './record-fields.tsx';
import type { RecordWords } from './record-words.ts';

interface RecordEditorProps {
  title: string;
  description?: string;
  sections: readonly FieldSection[];
  words: RecordWords;
  first: Draft;
  submitText: string;
  cancelTo: string;
  children?: ReactNode;
  /** `key` stays the same while the content does, so that sending it twice makes one record. */
  save(draft: Draft, key: string): Promise<void>;
}

/** The page on which a record is written, new or changed. */
export function RecordEditor(props: RecordEditorProps) {
  const { title, description, sections, words, submitText, cancelTo } = props;
  const mayWrite = useMay('itsm_agent');
  const form = useRef<HTMLFormElement>(null);
  const [draft, setDraft] = useState(props.first);
  const [key, setKey] = useState(() => crypto.randomUUID());
  const action = useAction();
  const names = sections.flatMap(({ fields }) => fields.map(({ name }) => name));
  const { byField, rest } = divideProblem(action.problem, (field) => names.includes(field.split('[')[0]!));
  const submit = async () => {
    if (!(await action.run(() => props.save(draft, key)))) focusFirstProblem(form.current);
  };
  return (
    <ContentLayout
      header={
        <Header variant="h1" description={description}>
          {title}
        </Header>
      }
    >
      {mayWrite ? (
        <RecordForm ref={form} submitText={submitText} onSubmit={submit} saving={action.busy} cancelTo={cancelTo}>
          {rest !== undefined && <ProblemView problem={rest} />}
          <RecordFields
            sections={sections}
            words={words}
            draft={draft}
            problems={byField}
            onChange={(field, value) => {
              setDraft((before) => ({ ...before, [field]: value }));
              setKey(crypto.randomUUID());
              action.forget();
            }}
          />
          {props.children}
        </RecordForm>
      ) : (
        <ProblemView problem={new Error('You need the Agent role to edit this record.')} />
      )}
    </ContentLayout>
  );
}
