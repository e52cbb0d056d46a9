import './attribute-editor.css';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { FormField } from './field.tsx';
import { Box, Stack } from './layout.tsx';

export interface AttributeColumn<Item> {
  label: string;
  control(item: Item, place: number): ReactNode;
  errorText?(item: Item, place: number): ReactNode;
}

interface AttributeEditorProps<Item> {
  items: readonly Item[];
  columns: readonly AttributeColumn<Item>[];
  addText: string;
  /** Undefined while nothing can be added. */
  onAdd: (() => void) | undefined;
  removeLabel(item: Item, place: number): string;
  onChange(items: Item[]): void;
  empty: string;
  info?: ReactNode;
}

/** A list of rows with the same fields, such as headers or relations. */
export function AttributeEditor<Item>(props: AttributeEditorProps<Item>) {
  const { items, columns, addText, onAdd, removeLabel, onChange, empty, info } = props;
  return (
    <Stack gap="xs">
      {items.length === 0 && <Box muted>{empty}</Box>}
      {items.map((item, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity, and inputs keep the focus.
        <div key={place} className="ui-attributes">
          {columns.map(({ label, control, errorText }) => (
            <FormField key={label} label={label} errorText={errorText?.(item, place)} stretch>
              {control(item, place)}
            </FormField>
          ))}
          <Button
            ariaLabel={removeLabel(item, place)}
            onClick={() => onChange(items.filter((_, other) => other !== place))}
          >
            Remove
          </Button>
        </div>
      ))}
      <div>
        <Button icon="add-plus" disabled={!onAdd} {...(onAdd ? { onClick: onAdd } : {})}>
          {addText}
        </Button>
      </div>
      {info && <div className="ui-description">{info}</div>}
    </Stack>
  );
}
