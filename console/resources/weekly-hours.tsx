import { weekdays } from '../../contract/on-call-values.ts';
import type { Restriction } from '../../contract/schedules.ts';
import { Button, FormField, Input, MultiSelect, Stack } from '../ui/kit/index.ts';

// Hours of some days of the week, in schedules and calendars.

export const toOptions = <Value extends string>(values: readonly Value[]) =>
  values.map((value) => ({ value, label: (value.charAt(0).toUpperCase() + value.slice(1)).replaceAll('_', ' ') }));

export const dayOptions = toOptions(weekdays);

export const timeZones = Intl.supportedValuesOf('timeZone').map((value) => ({ value }));

export const workingHours: Restriction = { weekdays: weekdays.slice(0, 5), from: '09:00', to: '17:00' };

interface WeeklyHoursProps {
  hours: Restriction;
  label: string;
  removeLabel: string;
  errorText: string | undefined;
  onChange(hours: Restriction): void;
  onRemove?: () => void;
}

export function WeeklyHoursFields({ hours, label, removeLabel, errorText, onChange, onRemove }: WeeklyHoursProps) {
  const change = (fields: Partial<Restriction>) => onChange({ ...hours, ...fields });
  return (
    <FormField label={label} errorText={errorText} stretch>
      <Stack gap="xs">
        <MultiSelect
          values={hours.weekdays}
          options={dayOptions}
          placeholder="Choose days"
          onChange={(chosen) => change({ weekdays: chosen as Restriction['weekdays'] })}
        />
        <div className="with-button">
          <Input value={hours.from} ariaLabel="From" onChange={(value) => change({ from: value })} />
          <Input value={hours.to} ariaLabel="To" onChange={(value) => change({ to: value })} />
          {onRemove && <Button icon="remove" ariaLabel={removeLabel} onClick={onRemove} />}
        </div>
      </Stack>
    </FormField>
  );
}
