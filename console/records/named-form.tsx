import { type ReactNode, useRef, useState } from 'react';
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
import { RequireRole } from './require-role.tsx';

// The frame of the forms of policies, calendars and schedules, which are listed together.

interface EditPageProps<Data> {
  thing: string;
  listTo: string;
  id: string;
  load(id: string, signal: AbortSignal): Promise<Data>;
  remove(id: string): Promise<unknown>;
  /** What deleting it means. */
  consequence: string;
  children(data: Data, reload: () => void): ReactNode;
}

export function EditNamedPage<Data>(props: EditPageProps<Data>) {
  const { thing, listTo, id, load, remove, consequence, children } = props;
  const { data, problem, reload } = useLoad([thing, id, 'edit'], (signal) => load(id, signal));
  const [isDeleting, setDeleting] = useState(false);
  const confirm = async () => {
    await remove(id);
    replaceLocation(listTo);
  };
  const title = `Edit ${thing}`;
  return (
    <RequireRole minRole="itsm_manager" action={`edit ${thing}s`} title={title}>
      <PageLayout title={title} actions={<Button onClick={() => setDeleting(true)}>Delete</Button>}>
        {problem !== undefined && <ProblemView problem={problem} onRetry={reload} />}
        {data ? children(data, reload) : <FactsSkeleton facts={6} label={`Loading ${thing}`} />}
        {isDeleting && (
          <ActionModal title={`Delete ${thing}`} confirmText="Delete" run={confirm} onClose={() => setDeleting(false)}>
            {consequence}
          </ActionModal>
        )}
      </PageLayout>
    </RequireRole>
  );
}

export function CreateNamedPage({ thing, children }: { thing: string; children: ReactNode }) {
  return (
    <RequireRole minRole="itsm_manager" action={`create ${thing}s`} title={`Create ${thing}`}>
      <PageLayout title={`Create ${thing}`}>{children}</PageLayout>
    </RequireRole>
  );
}

export type Problems = Readonly<Record<string, string>>;

interface NamedFormProps<Draft extends { name: string }> {
  before: Draft;
  thing: string;
  listTo: string;
  isNew: boolean;
  save(draft: Draft): Promise<unknown>;
  /** What the settings mean, above the fields. */
  preview?(draft: Draft): ReactNode;
  children(draft: Draft, change: (fields: Partial<Draft>) => void, problems: Problems): ReactNode;
  /** Parts below the fields. */
  parts?(draft: Draft, change: (fields: Partial<Draft>) => void, problems: Problems): ReactNode;
}

export function NamedForm<Draft extends { name: string }>(props: NamedFormProps<Draft>) {
  const { before, thing, listTo, isNew, save, preview, children, parts } = props;
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
      submitText={isNew ? `Create ${thing}` : 'Save'}
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
