import { Box, Button, Checkbox, Popup, Stack } from '../ui/kit/index.ts';
import type { Column, ShownColumns } from './use-list-preferences.ts';

interface ListSettingsProps {
  columns: readonly Column[];
  shown: ShownColumns;
  onChange(shown: ShownColumns): void;
}

/** The columns of a list. Each change applies at once. */
export function ListSettings({ columns, shown, onChange }: ListSettingsProps) {
  const raise = (place: number) =>
    onChange([...shown.slice(0, place - 1), ...shown.slice(place - 1, place + 1).reverse(), ...shown.slice(place + 1)]);
  return (
    <Popup label="Preferences" icon="settings">
      <Stack gap="xs">
        <Box variant="label">Columns</Box>
        {shown.map(({ id, visible }, place) => {
          const name = String(columns.find((column) => column.id === id)?.header ?? id);
          return (
            <div key={id} className="column-choice">
              <Checkbox
                checked={visible}
                disabled={columns[0]?.id === id}
                onChange={(isVisible) =>
                  onChange(shown.map((one) => (one.id === id ? { id, visible: isVisible } : one)))
                }
              >
                {name}
              </Checkbox>
              {place > 0 && (
                <Button variant="icon" icon="up" ariaLabel={`Move ${name} up`} onClick={() => raise(place)} />
              )}
            </div>
          );
        })}
      </Stack>
    </Popup>
  );
}
