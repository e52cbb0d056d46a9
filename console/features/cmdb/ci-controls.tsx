import AttributeEditor, { type AttributeEditorProps } from '@cloudscape-design/components/attribute-editor';
import Autosuggest from '@cloudscape-design/components/autosuggest';
import FormField from '@cloudscape-design/components/form-field';
import Select from '@cloudscape-design/components/select';
import SpaceBetween from '@cloudscape-design/components/space-between';
import TokenGroup from '@cloudscape-design/components/token-group';
import { useState } from 'react';
import type { Relation } from '../../../contract/cis.ts';
import { useApi } from '../../app/api.ts';
import type { CustomFieldProps } from '../../records/record-fields.tsx';
import { useLoad } from '../../records/use-load.ts';
import { findListProblem } from '../../ui/field-problems.ts';
import { useCis } from './ci-links.tsx';
import { type Ci, relationNames } from './ci-words.ts';

interface CiPickerProps {
  value: string;
  label: string;
  onChange(id: string): void;
  /** Called when the user selects an item or confirms a text. */
  onChoose?(id: string): void;
}

const maxSuggested = 50;

/** Finds an item by name or id; ids of unknown items are allowed. */
export function CiPicker({ value, label, onChange, onChoose }: CiPickerProps) {
  // Loads nothing before the field has focus: a form may have a hundred of them.
  const [words, setWords] = useState<string>();
  const latest = useFound(words === undefined ? undefined : { limit: maxSuggested, sort: 'updated_at' });
  const named = useFound(words && /[\p{L}\p{N}]/u.test(words) ? { limit: maxSuggested, q: words } : undefined);
  const found = new Map([...latest.cis, ...named.cis].map((ci) => [ci.id, ci]));
  return (
    <Autosuggest
      value={value}
      ariaLabel={label}
      placeholder="Name or ID"
      options={[...found.values()].map(toOption)}
      statusType={latest.loading || named.loading ? 'loading' : 'finished'}
      loadingText="Searching items"
      empty="No suggestions"
      enteredTextLabel={(text) => `Use “${text}”`}
      onChange={({ detail }) => onChange(detail.value)}
      onLoadItems={({ detail }) => setWords(detail.filteringText)}
      onSelect={({ detail }) => (onChoose ?? onChange)(findId(detail.value, [...found.values()]))}
    />
  );
}

function useFound(query: { limit: number; sort?: 'updated_at'; q?: string } | undefined) {
  const { client } = useApi();
  const { data = [], loading } = useLoad(
    ['cis', 'found', query],
    async (signal) => (await client.listCis(query ?? {}, { signal })).data,
    { enabled: query !== undefined, keepPrevious: true },
  );
  return { cis: data, loading };
}

/** A text that is the full name of one item selects it. */
function findId(text: string, cis: readonly Ci[]): string {
  const named = cis.filter(({ name }) => name.toLowerCase() === text.trim().toLowerCase());
  const [first, ...others] = named;
  return first && others.length === 0 ? first.id : text;
}

function toOption({ id, name, class: kind }: Ci) {
  return { value: id, label: name, labelTag: id, description: kind };
}

/**
 * Several items, as ids that each end with a comma. The text after the last comma is still being typed; it also counts
 * when the form is submitted, so that the user need not confirm it first.
 */
function CiListPicker({ value, label, onChange }: Omit<CiPickerProps, 'onChoose'>) {
  const parts = value.split(',').map((part) => part.trim());
  const typed = parts.at(-1) ?? '';
  const ids = parts.slice(0, -1).filter((id) => id !== '');
  const cis = useCis(ids);
  const show = (chosen: readonly string[], rest = '') => onChange(chosen.map((id) => `${id}, `).join('') + rest);
  return (
    <SpaceBetween size="xs">
      <CiPicker
        value={typed}
        label={label}
        onChange={(text) => show(ids, text)}
        onChoose={(id) => show([...new Set([...ids, id])])}
      />
      {ids.length > 0 && (
        <TokenGroup
          items={ids.map((id) => ({
            label: cis.get(id)?.name ?? id,
            ...(cis.has(id) ? { labelTag: id } : {}),
            dismissLabel: `Remove ${id}`,
          }))}
          onDismiss={({ detail }) =>
            show(
              ids.filter((_, place) => place !== detail.itemIndex),
              typed,
            )
          }
        />
      )}
    </SpaceBetween>
  );
}

export function CiField({ name, label, value, problems, onChange }: CustomFieldProps) {
  return (
    <FormField label={label} errorText={problems[name]} constraintText={useCis([value]).get(value)?.name}>
      <CiPicker value={value} label={label} onChange={onChange} />
    </FormField>
  );
}

export function CiListField({ name, label, value, problems, onChange }: CustomFieldProps) {
  return (
    <FormField label={label} description="The items this change affects." errorText={findListProblem(problems, name)}>
      <CiListPicker value={value} label={label} onChange={onChange} />
    </FormField>
  );
}

/** One column on small screens. */
const layout: AttributeEditorProps.GridLayout[] = [{ breakpoint: 'xs', rows: [[1, 2]] }, { rows: [[1], [1]] }];

const types = (Object.keys(relationNames) as Relation['type'][]).map((value) => ({
  value,
  label: relationNames[value],
}));

/** Holds the relations as JSON. */
export function RelationsField({ value, problems, onChange }: CustomFieldProps) {
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
              selectedOption={types.find((option) => option.value === type) ?? null}
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
