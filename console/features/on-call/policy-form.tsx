import Alert from '@cloudscape-design/components/alert';
import Autosuggest from '@cloudscape-design/components/autosuggest';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import Input from '@cloudscape-design/components/input';
import Select from '@cloudscape-design/components/select';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useRef, useState } from 'react';
import type { EscalationPolicy, EscalationStep, EscalationTarget } from '../../../contract/escalation-policies.ts';
import { targetTypes } from '../../../contract/on-call-values.ts';
import { useApi } from '../../base/api.ts';
import { replaceLocation } from '../../base/router.ts';
import { useLoad } from '../../base/use-load.ts';
import { useDirectory } from '../../records/directory.ts';
import { RequireRole } from '../../records/require-role.tsx';
import { splitProblem } from '../../ui/field-problems.ts';
import { focusFirstProblem, RecordForm } from '../../ui/forms.tsx';
import { PageLayout } from '../../ui/layouts.tsx';
import { ActionModal } from '../../ui/modals.tsx';
import { FactsSkeleton } from '../../ui/panels.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { useAction } from '../../ui/use-action.ts';
import { describePolicy, onCallPath } from './on-call-words.ts';

type PolicyDraft = Pick<EscalationPolicy, 'name' | 'steps' | 'repeat' | 'acknowledgement_expires_minutes'>;

const emptyTarget: EscalationTarget = { type: 'schedule', id: '' };

const emptyStep: EscalationStep = { targets: [emptyTarget], wait_minutes: 5 };

const emptyPolicy: PolicyDraft = { name: '', steps: [emptyStep], repeat: 0, acknowledgement_expires_minutes: null };

export function CreatePolicyPage() {
  return (
    <RequireRole minRole="itsm_manager" action="create escalation policies" title="Create policy">
      <PageLayout title="Create policy">
        <PolicyForm before={emptyPolicy} />
      </PageLayout>
    </RequireRole>
  );
}

export function EditPolicyPage({ id }: { id: string }) {
  const { client } = useApi();
  const { data, problem, reload } = useLoad(['escalation-policies', id], (signal) =>
    client.getEscalationPolicy({ id }, { signal }),
  );
  const [isDeleting, setDeleting] = useState(false);
  const remove = async () => {
    await client.deleteEscalationPolicy({ id });
    replaceLocation(onCallPath);
  };
  return (
    <RequireRole minRole="itsm_manager" action="edit escalation policies" title="Edit policy">
      <PageLayout title="Edit policy" actions={<Button onClick={() => setDeleting(true)}>Delete</Button>}>
        {problem !== undefined && <ProblemView problem={problem} onRetry={reload} />}
        {data ? <PolicyForm before={data} id={id} /> : <FactsSkeleton facts={6} label="Loading policy" />}
        {isDeleting && (
          <ActionModal title="Delete policy" confirmText="Delete" run={remove} onClose={() => setDeleting(false)}>
            Groups can no longer choose this policy.
          </ActionModal>
        )}
      </PageLayout>
    </RequireRole>
  );
}

function PolicyForm({ before, id }: { before: PolicyDraft; id?: string }) {
  const { client } = useApi();
  const form = useRef<HTMLFormElement>(null);
  const action = useAction();
  const schedules = useLoad(['schedules'], (signal) => client.listSchedules({ limit: 200 }, { signal }));
  const names = new Map((schedules.data?.data ?? []).map((schedule) => [schedule.id, schedule.name]));
  const [draft, setDraft] = useState<PolicyDraft>(() => {
    const { name, steps, repeat, acknowledgement_expires_minutes } = before;
    return { name, steps, repeat, acknowledgement_expires_minutes };
  });
  const { byField, rest } = splitProblem(action.problem, () => true);
  const change = (fields: Partial<PolicyDraft>) => setDraft({ ...draft, ...fields });
  const save = async () => {
    const isDone = await action.run(async () => {
      if (id === undefined) await client.createEscalationPolicy(draft);
      else await client.updateEscalationPolicy({ id }, draft);
    });
    if (isDone) replaceLocation(onCallPath);
    else focusFirstProblem(form.current);
  };
  return (
    <RecordForm
      ref={form}
      submitText={id === undefined ? 'Create policy' : 'Save'}
      onSubmit={save}
      saving={action.busy}
      cancelTo={onCallPath}
      isChanged={draft.steps !== before.steps}
    >
      {rest !== undefined && <ProblemView problem={rest} />}
      <Alert type="info" header="Preview">
        {describePolicy(draft, names)}
      </Alert>
      <Container>
        <SpaceBetween size="l">
          <FormField label="Name" errorText={byField.name} stretch>
            <Input value={draft.name} ariaRequired onChange={({ detail }) => change({ name: detail.value })} />
          </FormField>
          <FormField label="Repetitions" description="After the last step, 0 to 9 times." errorText={byField.repeat}>
            <Input
              type="number"
              value={String(draft.repeat)}
              onChange={({ detail }) => change({ repeat: Number(detail.value) })}
            />
          </FormField>
          <FormField
            label="Acknowledgement expires (optional)"
            description="Minutes without progress before the escalation continues."
            errorText={byField.acknowledgement_expires_minutes}
          >
            <Input
              type="number"
              value={
                draft.acknowledgement_expires_minutes === null ? '' : String(draft.acknowledgement_expires_minutes)
              }
              onChange={({ detail }) =>
                change({ acknowledgement_expires_minutes: detail.value === '' ? null : Number(detail.value) })
              }
            />
          </FormField>
        </SpaceBetween>
      </Container>
      {draft.steps.map((step, place) => (
        <StepFields
          // biome-ignore lint/suspicious/noArrayIndexKey: the position of a step is its identity
          key={place}
          step={step}
          place={place}
          scheduleNames={names}
          problems={byField}
          onChange={(next) => change({ steps: draft.steps.map((each, index) => (index === place ? next : each)) })}
          {...(draft.steps.length > 1 && {
            onRemove: () => change({ steps: draft.steps.filter((_, index) => index !== place) }),
          })}
        />
      ))}
      <Button
        formAction="none"
        iconName="add-plus"
        disabled={draft.steps.length >= 10}
        onClick={() => change({ steps: [...draft.steps, emptyStep] })}
      >
        Add step
      </Button>
    </RecordForm>
  );
}

interface StepFieldsProps {
  step: EscalationStep;
  place: number;
  scheduleNames: ReadonlyMap<string, string>;
  problems: Readonly<Record<string, string>>;
  onChange(step: EscalationStep): void;
  onRemove?: () => void;
}

const typeOptions = targetTypes.map((value) => ({ value, label: value.charAt(0).toUpperCase() + value.slice(1) }));

function StepFields({ step, place, scheduleNames, problems, onChange, onRemove }: StepFieldsProps) {
  const number = place + 1;
  const changeTarget = (index: number, target: EscalationTarget) =>
    onChange({ ...step, targets: step.targets.map((each, at) => (at === index ? target : each)) });
  return (
    <Container
      header={
        <Header
          variant="h2"
          actions={
            onRemove && (
              <Button formAction="none" ariaLabel={`Remove step ${number}`} onClick={onRemove}>
                Remove
              </Button>
            )
          }
        >
          Step {number}
        </Header>
      }
    >
      <SpaceBetween size="l">
        {step.targets.map((target, index) => (
          <FormField
            // biome-ignore lint/suspicious/noArrayIndexKey: targets have no identity while they are edited
            key={index}
            label={index === 0 ? 'Page' : 'And'}
            errorText={
              problems[`steps[${place}].targets[${index}].id`] ??
              (index === 0 ? problems[`steps[${place}].targets`] : undefined)
            }
            stretch
          >
            <TargetFields
              target={target}
              label={`Target ${index + 1} of step ${number}`}
              scheduleNames={scheduleNames}
              onChange={(next) => changeTarget(index, next)}
              {...(step.targets.length > 1 && {
                onRemove: () => onChange({ ...step, targets: step.targets.filter((_, at) => at !== index) }),
              })}
            />
          </FormField>
        ))}
        <Button
          formAction="none"
          disabled={step.targets.length >= 10}
          onClick={() => onChange({ ...step, targets: [...step.targets, emptyTarget] })}
        >
          Add target
        </Button>
        <FormField label="Minutes until the next step" errorText={problems[`steps[${place}].wait_minutes`]}>
          <Input
            type="number"
            value={String(step.wait_minutes)}
            ariaLabel={`Minutes of step ${number}`}
            onChange={({ detail }) => onChange({ ...step, wait_minutes: Number(detail.value) })}
          />
        </FormField>
      </SpaceBetween>
    </Container>
  );
}

interface TargetFieldsProps {
  target: EscalationTarget;
  label: string;
  scheduleNames: ReadonlyMap<string, string>;
  onChange(target: EscalationTarget): void;
  onRemove?: () => void;
}

function TargetFields({ target, label, scheduleNames, onChange, onRemove }: TargetFieldsProps) {
  const { people, groups } = useDirectory();
  const schedules = [...scheduleNames].map(([value, name]) => ({ value, label: name }));
  const suggestions =
    target.type === 'person' ? people?.data.map(({ email }) => email) : groups?.data.map(({ name }) => name);
  return (
    <div className="target-fields">
      <Select
        selectedOption={typeOptions.find(({ value }) => value === target.type) ?? null}
        options={typeOptions}
        ariaLabel={label.replace('Target', 'Kind')}
        onChange={({ detail }) => onChange({ type: detail.selectedOption.value as EscalationTarget['type'], id: '' })}
      />
      {target.type === 'schedule' ? (
        <Select
          selectedOption={schedules.find(({ value }) => value === target.id) ?? null}
          options={schedules}
          placeholder="Choose a schedule"
          ariaLabel={label}
          onChange={({ detail }) => onChange({ ...target, id: detail.selectedOption.value ?? '' })}
        />
      ) : (
        <Autosuggest
          value={target.id}
          options={(suggestions ?? []).map((value) => ({ value }))}
          ariaLabel={label}
          ariaLabelledby=""
          enteredTextLabel={(value) => `Use ${value}`}
          onChange={({ detail }) => onChange({ ...target, id: detail.value })}
        />
      )}
      {onRemove && (
        <Button formAction="none" iconName="remove" ariaLabel={`Remove ${label.toLowerCase()}`} onClick={onRemove} />
      )}
    </div>
  );
}
