import ContentLayout from '@cloudscape-design/components/content-layout';
import Header from '@cloudscape-design/components/header';
import { FactsSkeleton } from '../components/facts-skeleton.tsx';
import { ProblemView } from '../components/problem-view.tsx';
import { replaceLocation } from '../location.ts';
import { useLoad } from '../use-load.ts';
import { draftOf, type FieldSpec, patchOf } from './record-draft.ts';
import { RecordEditor } from './record-editor.tsx';
import type { FieldSection } from './record-fields.tsx';
import type { RecordWords } from './record-words.ts';

interface EditRecordPageProps<Shown> {
  id: string;
  load(signal: AbortSignal): Promise<{ data: Shown | undefined; etag?: string | undefined }>;
  fields: readonly FieldSpec[];
  sections: readonly FieldSection[];
  words: RecordWords;
  /** The page of the record. */
  pageTo: string;
  /** What can no longer be changed, and why. */
  fixed?(record: Shown): { fields: readonly string[]; why: string } | undefined;
  save(patch: Record<string, unknown>, options: { ifMatch?: string }): Promise<unknown>;
}

/** The version that the form was opened with is the one that is changed; when there is another, the service says so. */
export function EditRecordPage<Shown extends object>(props: EditRecordPageProps<Shown>) {
  const { id, fields, sections, words, pageTo } = props;
  const { data: version, problem, reload } = useLoad(props.load);
  if (!version?.data) {
    return (
      <ContentLayout header={<Header variant="h1">Edit {id}</Header>}>
        {problem === undefined ? (
          <FactsSkeleton facts={6} label={`Loading ${words.thing}`} />
        ) : (
          <ProblemView problem={problem} onRetry={reload} />
        )}
      </ContentLayout>
    );
  }
  const record = version.data as Readonly<Record<string, unknown>>;
  const fixed = props.fixed?.(version.data);
  return (
    <RecordEditor
      title={`Edit ${id}`}
      {...(fixed ? { description: fixed.why } : {})}
      sections={fixed ? without(fixed.fields, sections) : sections}
      words={words}
      first={draftOf(record, fields)}
      submitText="Save changes"
      cancelTo={pageTo}
      save={async (draft) => {
        const patch = patchOf(draft, record, fields);
        if (Object.keys(patch).length > 0) await props.save(patch, version.etag ? { ifMatch: version.etag } : {});
        replaceLocation(pageTo);
      }}
    />
  );
}

function without(names: readonly string[], sections: readonly FieldSection[]): FieldSection[] {
  return sections
    .map(({ title, fields }) => ({ title, fields: fields.filter(({ name }) => !names.includes(name)) }))
    .filter(({ fields }) => fields.length > 0);
}
