import './policy-form.css';
import type { EscalationPolicy, EscalationStep, EscalationTarget } from '../../../contract/escalation-policies.ts';
import { targetTypes } from '../../../contract/on-call-values.ts';
import { useApi } from '../../base/api.ts';
import { useLoad } from '../../base/use-load.ts';
import { useDirectory } from '../../records/directory.ts';
import { createNamedPages, type FormFrame, FormParts, NamedForm, NumberField } from '../../records/named-form.tsx';
import { Alert, Button, Combobox, Container, FormField, Header, Input, Select, Stack } from '../../ui/kit/index.ts';
import { describePolicy, onCallPath } from './on-call-words.ts';

type PolicyDraft = Pick<EscalationPolicy, 'name' | 'steps' | 'repeat' | 'acknowledgement_expires_minutes'>;

const emptyTarget: EscalationTarget = { type: 'schedule', id: '' };

const emptyStep: EscalationStep = { targets: [emptyTarget], wait_minutes: 5 };

const emptyPolicy: PolicyDraft = { name: '', steps: [emptyStep], repeat: 0, acknowledgement_expires_minutes: null };

function PolicyForm(frame: FormFrame<PolicyDraft>) {
  const { client } = useApi();
  const schedules = useLoad(['schedules'], (signal) => client.listSchedules({ limit: 200 }, { signal }));
  const names = new Map((schedules.data?.data ?? []).map((schedule) => [schedule.id, schedule.name]));
  return (
    <NamedForm
      {...frame}
      preview={(draft) => (
        <Alert type="info" header="Preview">
          {describePolicy(draft, names)}
        </Alert>
      )}
      parts={({ steps }, change, problems) => (
        <FormParts
          parts={steps}
          empty={() => emptyStep}
          addText="Add step"
          onChange={(next) => change({ steps: next })}
          render={(step, place, edit) => (
            <StepFields key={place} step={step} place={place} scheduleNames={names} problems={problems} {...edit} />
          )}
        />
      )}
    >
      {({ repeat, acknowledgement_expires_minutes }, change, problems) => (
        <>
          <NumberField
            label="Repetitions"
            description="After the last step, 0 to 9 times."
            errorText={problems.repeat}
            value={repeat}
            onChange={(value) => change({ repeat: value ?? 0 })}
          />
          <NumberField
            label="Acknowledgement expires (optional)"
            description="Minutes without progress before the escalation continues."
            errorText={problems.acknowledgement_expires_minutes}
            value={acknowledgement_expires_minutes}
            onChange={(value) => change({ acknowledgement_expires_minutes: value })}
          />
        </>
      )}
    </NamedForm>
  );
}

export const { CreatePage: CreatePolicyPage, EditPage: EditPolicyPage } = createNamedPages<PolicyDraft>({
  name: 'EscalationPolicy',
  thing: 'policy',
  listTo: onCallPath,
  consequence: 'Groups can no longer choose this policy.',
  empty: () => emptyPolicy,
  Form: PolicyForm,
});

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
          actions={
            onRemove && (
              <Button ariaLabel={`Remove step ${number}`} onClick={onRemove}>
                Remove
              </Button>
            )
          }
        >
          Step {number}
        </Header>
      }
    >
      <Stack>
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
            onChange={(value) => onChange({ ...step, wait_minutes: Number(value) })}
          />
        </FormField>
      </Stack>
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
        value={target.type}
        options={typeOptions}
        ariaLabel={label.replace('Target', 'Kind')}
        onChange={(value) => onChange({ type: value as EscalationTarget['type'], id: '' })}
      />
      {target.type === 'schedule' ? (
        <Select
          value={target.id}
          options={schedules}
          placeholder="Choose a schedule"
          ariaLabel={label}
          onChange={(value) => onChange({ ...target, id: value })}
        />
      ) : (
        <Combobox
          value={target.id}
          options={(suggestions ?? []).map((value) => ({ value }))}
          ariaLabel={label}
          onChange={(value) => onChange({ ...target, id: value })}
        />
      )}
      {onRemove && <Button icon="remove" ariaLabel={`Remove ${label.toLowerCase()}`} onClick={onRemove} />}
    </div>
  );
}
