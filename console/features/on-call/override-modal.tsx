import { useState } from 'react';
import type { Schedule, ShiftView } from '../../../contract/schedules.ts';
import { useApi } from '../../base/api.ts';
import { useCaller, useHasRole } from '../../base/caller.tsx';
import { useDirectory } from '../../records/directory.ts';
import { MomentInput } from '../../records/record-fields.tsx';
import { Alert, Button, FormField, Input, Select } from '../../ui/kit/index.ts';
import { DecisionModal } from '../../ui/modals.tsx';
import { notify } from '../../ui/notices.ts';
import { fromLocalMoment, toLocalMoment } from '../../ui/time.ts';
import { useAction } from '../../ui/use-action.ts';
import type { Period } from './timeline.tsx';

interface OverrideModalProps {
  schedule: Schedule;
  period: Period;
  /** The shift that the user chose; an override can be deleted. */
  shift?: ShiftView | undefined;
  onClose(): void;
  onDone(): void;
}

/** Asks who takes a period. Agents take it themselves; managers choose. */
export function OverrideModal({ schedule, period, shift, onClose, onDone }: OverrideModalProps) {
  const { client } = useApi();
  const { data: caller } = useCaller();
  const isManager = useHasRole('itsm_manager');
  const { people } = useDirectory();
  const action = useAction();
  const [person, setPerson] = useState(caller?.email ?? '');
  const [start, setStart] = useState(toLocalMoment(period.startMs));
  const [end, setEnd] = useState(toLocalMoment(period.endMs));
  const [reason, setReason] = useState('');
  const options = (people?.data ?? []).map(({ email, name }) => ({ value: email, label: name ?? email }));
  const create = async () => {
    const body = { person, starts_at: fromLocalMoment(start) ?? '', ends_at: fromLocalMoment(end) ?? '' };
    const isDone = await action.run(async () => {
      await client.createOverride({ id: schedule.id }, reason === '' ? body : { ...body, reason });
    });
    if (!isDone) return;
    notify({ type: 'success', content: `${person} takes the period in ${schedule.name}.` });
    onDone();
  };
  const remove = async (override_id: string) => {
    const isDone = await action.run(async () => {
      await client.deleteOverride({ id: schedule.id, override_id });
    });
    if (isDone) onDone();
  };
  const overrideId = shift?.override_id ?? null;
  return (
    <DecisionModal
      title={`Override in ${schedule.name}`}
      confirmText="Create override"
      onConfirm={create}
      busy={action.busy}
      problem={action.problem}
      disabled={person === ''}
      onDismiss={onClose}
    >
      {overrideId !== null && (
        <Alert
          type="info"
          action={
            <Button loading={action.busy} onClick={() => remove(overrideId)}>
              Delete override
            </Button>
          }
        >
          {shift?.person} is on call here by an override.
        </Alert>
      )}
      <FormField label="Person on call">
        <Select value={person} options={options} disabled={!isManager} filter={{}} onChange={setPerson} />
      </FormField>
      <FormField label="Start">
        <MomentInput value={start} label="Start" onChange={setStart} />
      </FormField>
      <FormField label="End">
        <MomentInput value={end} label="End" onChange={setEnd} />
      </FormField>
      <FormField label="Reason (optional)" stretch>
        <Input value={reason} onChange={setReason} />
      </FormField>
    </DecisionModal>
  );
}
