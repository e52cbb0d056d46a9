import { type ReactNode, useRef, useState } from 'react';
import type { Role } from '../../contract/roles.ts';
import { useApi } from '../base/api.ts';
import { replaceLocation } from '../base/router.ts';
import { useLoad } from '../base/use-load.ts';
import { splitProblem } from '../ui/field-problems.ts';
import { focusFirstProblem, RecordForm } from '../ui/forms.tsx';
import { PageLayout } from '../ui/layouts.tsx';
import { PendingPage } from '../ui/problem-page.tsx';
import { ProblemView } from '../ui/problem-view.tsx';
import { useAction } from '../ui/use-action.ts';
import { useIsChecking, useUnknownNames } from './directory.ts';
import { useKeepFields, useKeptFields } from './kept-draft.ts';
import {
  type Draft,
  emptyDraft,
  type FieldSection,
  findMissing,
  toCreation,
  toDraft,
  toPatch,
} from './record-draft.ts';
import { type CustomControls, RecordFields } from './record-fields.tsx';
import { type RecordKind, toOperations } from './record-kind.ts';
import type { RecordWords } from './record-words.ts';
import { RequireRole } from './require-role.tsx';

interface RecordEditorProps {
  title: string;
  description?: string;
  sections: readonly FieldSection[];
  words: RecordWords;
  first: Draft;
  submitText: string;
  cancelTo: string;
  /** The role that the form needs, if not that of agents. */
  minRole?: Role;
  controls?: CustomControls;
  /** Helps to fill in the form, below the first section. `chosen` are the fields that the user has set. */
  assist?(draft: Draft, onChange: (values: Draft) => void, chosen: ReadonlySet<string>): ReactNode;
  /** Shown below the fields of a section, by its title. */
  below?(draft: Draft): Readonly<Record<string, ReactNode>>;
  children?: ReactNode;
  /** `key` changes with the content, so that a retry creates no second record. */
  save(draft: Draft, key: string): Promise<void>;
}

/** The page that creates or edits a record. */
export function RecordEditor(props: RecordEditorProps) {
  const { title, description, sections, words, submitText, cancelTo } = props;
  const { minRole = 'itsm_agent' } = props;
  const form = useRef<HTMLFormElement>(null);
  const [first] = useState(props.first);
  const kept = useKeptFields();
  const [draft, setDraft] = useState<Draft>(Object.keys(kept).length === 0 ? first : { ...first, ...kept });
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(Object.keys(kept)));
  useKeepFields(draft, first);
  const [key, setKey] = useState(() => crypto.randomUUID());
  const action = useAction();
  const [checked, setChecked] = useState(false);
  const fields = sections.flatMap((section) => section.fields);
  const isChecking = useIsChecking(draft, first);
  const unacceptable = { ...findMissing(draft, fields), ...useUnknownNames(draft, first) };
  const { byField, rest } = splitProblem(action.problem, (problem) =>
    fields.some(({ name }) => problem === name || problem.startsWith(`${name}[`)),
  );
  const change = (values: Draft) => {
    setDraft((before) => ({ ...before, ...values }));
    setKey(crypto.randomUUID());
    action.forget();
  };
  const submit = async () => {
    setChecked(true);
    const isComplete = Object.keys(unacceptable).length === 0;
    if (!isComplete || !(await action.run(() => props.save(draft, key)))) focusFirstProblem(form.current);
  };
  return (
    <PageLayout title={title} description={description}>
      <RequireRole minRole={minRole} action={`create or edit ${words.thing}s`}>
        <RecordForm
          ref={form}
          submitText={submitText}
          onSubmit={submit}
          saving={action.busy || isChecking}
          cancelTo={cancelTo}
          isChanged={draft !== first}
        >
          {rest !== undefined && <ProblemView problem={rest} />}
          <RecordFields
            sections={sections}
            words={words}
            draft={draft}
            problems={{ ...(checked ? unacceptable : {}), ...byField }}
            controls={props.controls ?? {}}
            onChange={(field, value) => {
              setChosen((before) => new Set([...before, field]));
              change({ [field]: value });
            }}
            below={{
              ...(props.assist && sections[0] ? { [sections[0].title]: props.assist(draft, change, chosen) } : {}),
              ...props.below?.(draft),
            }}
          />
          {props.children}
        </RecordForm>
      </RequireRole>
    </PageLayout>
  );
}

interface EditRecordPageProps<Shown> extends Pick<RecordEditorProps, 'controls' | 'below'> {
  kind: RecordKind;
  id: string;
  /** The fields that can no longer be changed, and why. */
  fixed?(record: Shown): { fields: readonly string[]; why: string } | undefined;
}

/** Updates the version that the form was opened with; the service rejects the update if there is a newer one. */
export function EditRecordPage<Shown extends object>({ kind, id, fixed, ...props }: EditRecordPageProps<Shown>) {
  const { name, listTo, words, sections, fields } = kind;
  const operations = toOperations<Shown>(useApi().client);
  const loaded = useLoad([words.thing, id, 'edit'], (signal) =>
    operations[`get${name}`].withResponse({ id }, { signal }),
  );
  const version = loaded.data;
  if (!version?.data) return <PendingPage title={`Edit ${id}`} thing={`${words.thing} ${id}`} loaded={loaded} />;
  const record = version.data as Readonly<Record<string, unknown>>;
  const locked = fixed?.(version.data);
  const pageTo = `${listTo}/${encodeURIComponent(id)}`;
  return (
    <RecordEditor
      {...props}
      title={`Edit ${id}`}
      {...(locked ? { description: locked.why } : {})}
      sections={locked ? without(locked.fields, sections) : sections}
      words={words}
      first={toDraft(record, fields)}
      submitText="Save changes"
      cancelTo={pageTo}
      save={async (draft) => {
        const patch = toPatch(draft, record, fields);
        const options = version.etag ? { ifMatch: version.etag } : {};
        if (Object.keys(patch).length > 0) await operations[`update${name}`]({ id }, patch, options);
        replaceLocation(pageTo);
      }}
    />
  );
}

interface CreateRecordPageProps extends Omit<RecordEditorProps, 'sections' | 'words' | 'first' | 'cancelTo' | 'save'> {
  kind: RecordKind;
  /** Values to begin with. */
  given?: Draft;
  /** Sent for empty fields, so that the service reports them. */
  empty?: Readonly<Record<string, unknown>>;
  /** Fields of the request that are not in the form. */
  added?: Readonly<Record<string, unknown>>;
  onCreated?(id: string): Promise<void>;
}

export function CreateRecordPage({ kind, given, empty, added = {}, onCreated, ...props }: CreateRecordPageProps) {
  const { name, listTo, words, sections, fields } = kind;
  const operations = toOperations(useApi().client);
  return (
    <RecordEditor
      {...props}
      sections={sections}
      words={words}
      first={{ ...emptyDraft(fields), ...given }}
      cancelTo={listTo}
      save={async (draft, key) => {
        const creation = { ...empty, ...toCreation(draft, fields), ...added };
        const idempotencyKey = [key, ...Object.values(added)].join('-');
        const { id }: { id: string } = await operations[`create${name}`](creation, { idempotencyKey });
        await onCreated?.(id);
        replaceLocation(`${listTo}/${encodeURIComponent(id)}`);
      }}
    />
  );
}

function without(names: readonly string[], sections: readonly FieldSection[]): FieldSection[] {
  return sections
    .map((section) => ({ ...section, fields: section.fields.filter(({ name }) => !names.includes(name)) }))
    .filter(({ fields }) => fields.length > 0);
}
