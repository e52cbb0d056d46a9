import AttributeEditor, { type AttributeEditorProps } from '@cloudscape-design/components/attribute-editor';
import Select from '@cloudscape-design/components/select';
import type { Relation } from '../../../contract/cis.ts';
import type { FieldProblems } from '../../field-problems.ts';
import { CiPicker } from './ci-picker.tsx';
import { relationNames } from './ci-words.ts';
import { useCis } from './use-cis.ts';

interface RelationsEditorProps {
  /** As JSON. */
  value: string;
  problems: FieldProblems;
  onChange(value: string): void;
}

/** On phones everything is below each other. */
const layout: AttributeEditorProps.GridLayout[] = [{ breakpoint: 'xs', rows: [[1, 2]] }, { rows: [[1], [1]] }];

const types = (Object.keys(relationNames) as Relation['type'][]).map((value) => ({
  value,
  label: relationNames[value],
}));

export function RelationsEditor({ value, problems, onChange }: RelationsEditorProps) {
  const relations: Relation[] = JSON.parse(value || '[]');
  const cis = useCis(relations.map(({ ci_id }) => ci_id));
  const write = (next: readonly Relation[]) => onChange(JSON.stringify(next));
  const change = (index: number, part: Partial<Relation>) =>
    write(relations.map((before, place) => (place === index ? { ...before, ...part } : before)));
  return (
    <AttributeEditor
      items={relations}
      addButtonText="Add relation"
      removeButtonText="Remove"
      removeButtonAriaLabel={({ ci_id }) => `Remove relation to ${cis.get(ci_id)?.name ?? ci_id}`}
      empty="No relations."
      gridLayout={layout}
      onAddButtonClick={() => write([...relations, { type: 'depends_on', ci_id: '' }])}
      onRemoveButtonClick={({ detail }) => write(relations.filter((_, index) => index !== detail.itemIndex))}
      definition={[
        {
          label: 'Relation',
          control: ({ type }: Relation, index: number) => (
            <Select
              selectedOption={types.find((option) => option.value === type)!}
              options={types}
              onChange={({ detail }) => change(index, { type: detail.selectedOption.value as Relation['type'] })}
            />
          ),
        },
        {
          label: 'Configuration item',
          control: ({ ci_id }: Relation, index: number) => (
            <CiPicker
              value={ci_id}
              label="Configuration item"
              onChange={(next) => change(index, { ci_id: next.trim() })}
            />
          ),
          constraintText: ({ ci_id }: Relation) => cis.get(ci_id)?.name,
          errorText: (_: Relation, index: number) => problems[`relations[${index}].ci_id`],
        },
      ]}
    />
  );
}
