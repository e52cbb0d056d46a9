import { type ComponentType, type ReactNode, useRef, useState } from 'react';
import { useApi } from '../base/api.ts';
import { replaceLocation } from '../base/router.ts';
import { useLoad } from '../base/use-load.ts';
import { splitProblem } from '../ui/field-problems.ts';
import { focusFirstProblem, RecordForm } from '../ui/forms.tsx';
import { Button, Container, FormField, Input, Stack } from '../ui/kit/index.ts';
import { PageLayout } from '../ui/layouts.tsx';
import { ActionModal } from '../ui/modals.tsx';
import { FactsSkeleton } from '../ui/panels.tsx';
import { ProblemView } from '../ui/problem-view.tsx';
import { useAction } from '../ui/use-action.ts';
import { type NamedKindName, toOperations } from './record-kind.ts';
import { RequireRole } from './require-role.tsx';

// The pages of policies, calendars and schedules, which are listed together: one description of each makes both of its pages.

interface NamedKind<Draft> {
  name: NamedKindName;
  thing: string;
  listTo: string;
  /** What deleting it means. */
  consequence: string;
  /** A new one, with all fields that the form changes. */
  empty(): Draft;
  Form: ComponentType<FormFrame<Draft>>;
  /** Above the form of an existing one. */
  Above?: ComponentType<{ id: string; onDone(): void }>;
}

/** What the form of a kind passes on to `NamedForm`. */
export interface FormFrame<Draft> {
  before: Draft;
  listTo: string;
  submitText: string;
  save(draft: Draft): Promise<unknown>;
}

export function createNamedPages<Draft extends object>(kind: NamedKind<Draft>) {
  const { name, thing, listTo, empty, Form, Above } = kind;
  const create = `Create ${thing}`;
  const edit = `Edit ${thing}`;
  function CreatePage() {
    const operations = toOperations(useApi().client);
    const [before] = useState(empty);
    return (
      <RequireRole minRole="itsm_manager" action={`create ${thing}s`} title={create}>
        <PageLayout title={create}>
          <Form before={before} listTo={listTo} submitText={create} save={operations[`create${name}`]} />
        </PageLayout>
      </RequireRole>
    );
  }
  function EditPage({ id }: { id: string }) {
    const operations = toOperations(useApi().client);
    const { data, problem, reload } = useLoad<Draft & { updated_at: string }>([thing, id, 'edit'], (signal) =>
      operations[`get${name}`]({ id }, { signal }),
    );
    const [isDeleting, setDeleting] = useState(false);
    const [version, setVersion] = useState(0);
    const onDone = () => {
      setVersion(version + 1);
      reload();
    };
    const remove = async () => {
      await operations[`delete${name}`]({ id });
      replaceLocation(listTo);
    };
    return (
      <RequireRole minRole="itsm_manager" action={`edit ${thing}s`} title={edit}>
        <PageLayout title={edit} actions={<Button onClick={() => setDeleting(true)}>Delete</Button>}>
          {problem !== undefined && <ProblemView problem={problem} onRetry={reload} />}
          {data && Above && <Above id={id} onDone={onDone} />}
          {data ? (
            <Form
              key={`${version} ${data.updated_at}`}
              before={pickFields(data, empty())}
              listTo={listTo}
              submitText="Save"
              save={(draft) => operations[`update${name}`]({ id }, draft)}
            />
          ) : (
            <FactsSkeleton facts={6} label={`Loading ${thing}`} />
          )}
          {isDeleting && (
            <ActionModal title={`Delete ${thing}`} confirmText="Delete" run={remove} onClose={() => setDeleting(false)}>
              {kind.consequence}
            </ActionModal>
          )}
        </PageLayout>
      </RequireRole>
    );
  }
  return { CreatePage, EditPage };
}

function pickFields<Draft extends object>(item: Draft, fields: Draft): Draft {
  return Object.fromEntries(Object.entries(item).filter(([field]) => field in fields)) as Draft;
}

export type Problems = Readonly<Record<string, string>>;

interface NamedFormProps<Draft extends { name: string }> extends FormFrame<Draft> {
  /** What the settings mean, above the fields. */
  preview?(draft: Draft): ReactNode;
  children(draft: Draft, change: (fields: Partial<Draft>) => void, problems: Problems): ReactNode;
  /** Parts below the fields. */
  parts?(draft: Draft, change: (fields: Partial<Draft>) => void, problems: Problems): ReactNode;
}

export function NamedForm<Draft extends { name: string }>(props: NamedFormProps<Draft>) {
  const { before, listTo, submitText, save, preview, children, parts } = props;
  const form = useRef<HTMLFormElement>(null);
  const action = useAction();
  const [draft, setDraft] = useState(before);
  const { byField, rest } = splitProblem(action.problem, () => true);
  const change = (fields: Partial<Draft>) => setDraft({ ...draft, ...fields });
  const submit = async () => {
    const isDone = await action.run(async () => {
      await save(draft);
    });
    if (isDone) replaceLocation(listTo);
    else focusFirstProblem(form.current);
  };
  return (
    <RecordForm
      ref={form}
      submitText={submitText}
      onSubmit={submit}
      saving={action.busy}
      cancelTo={listTo}
      isChanged={draft !== before}
    >
      {rest !== undefined && <ProblemView problem={rest} />}
      {preview?.(draft)}
      <Container>
        <Stack>
          <FormField label="Name" errorText={byField.name} stretch>
            <Input value={draft.name} ariaRequired onChange={(name) => setDraft({ ...draft, name })} />
          </FormField>
          {children(draft, change, byField)}
        </Stack>
      </Container>
      {parts?.(draft, change, byField)}
    </RecordForm>
  );
}

interface OptionalInputProps<Value extends string | number> {
  label: string;
  description?: string;
  errorText: string | undefined;
  value: Value | null;
  onChange(value: Value | null): void;
}

export function NumberField({ label, description, errorText, value, onChange }: OptionalInputProps<number>) {
  return (
    <FormField label={label} errorText={errorText} {...(description && { description })}>
      <Input
        type="number"
        value={value === null ? '' : String(value)}
        onChange={(text) => onChange(text === '' ? null : Number(text))}
      />
    </FormField>
  );
}

interface FormPartsProps<Part> {
  parts: readonly Part[];
  empty(): Part;
  addText: string;
  onChange(parts: Part[]): void;
  render(part: Part, place: number, edit: PartEdit<Part>): ReactNode;
}

interface PartEdit<Part> {
  onChange(part: Part): void;
  /** Absent for the only one. */
  onRemove?: () => void;
}

const maxParts = 10;

/** Parts whose positions are their identities, such as the steps of a policy. */
export function FormParts<Part>({ parts, empty, addText, onChange, render }: FormPartsProps<Part>) {
  return (
    <>
      {parts.map((part, place) =>
        render(part, place, {
          onChange: (next) => onChange(parts.map((each, index) => (index === place ? next : each))),
          ...(parts.length > 1 && { onRemove: () => onChange(parts.filter((_, index) => index !== place)) }),
        }),
      )}
      <Button icon="add-plus" disabled={parts.length >= maxParts} onClick={() => onChange([...parts, empty()])}>
        {addText}
      </Button>
    </>
  );
}
