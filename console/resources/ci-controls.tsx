import { useState } from 'react';
import type { Relation } from '../../contract/ci-relations.ts';
import { useApi } from '../base/api.ts';
import { useLoad } from '../base/use-load.ts';
import type { CustomFieldProps } from '../records/record-fields.tsx';
import { findListProblem } from '../ui/field-problems.ts';
import { AttributeEditor, FormField, Select, Stack, Tokens } from '../ui/kit/index.ts';
import { useCis } from './ci-links.tsx';
import { type Ci, relationNames } from './ci-words.ts';

interface CiPickerProps {
  /** The id of an item, or any text. */
  value: string;
  label: string;
  /** Gets the id of the chosen item. */
  onChange(value: string): void;
}

const maxSuggested = 25;

/**
 * Finds an item by name or id. Exact names come first. The typed text itself comes last, because records may name items
 * that nobody has registered.
 */
export function CiPicker({ value, label, onChange }: CiPickerProps) {
  // Loads nothing before the field is opened: a form may have a hundred of them.
  const [words, setWords] = useState<string>();
  const latest = useFound(words === undefined ? undefined : { limit: maxSuggested, sort: 'updated_at' });
  const named = useFound(words && /[\p{L}\p{N}]/u.test(words) ? { limit: maxSuggested, q: words } : undefined);
  const name = useCis([value]).get(value)?.name;
  const text = words?.trim() ?? '';
  return (
    <Select
      value={value === '' ? undefined : value}
      fallback={value === '' ? undefined : { value, label: name ?? value, tag: name && value }}
      ariaLabel={label}
      placeholder="Choose an item"
      filter={{ label: `Find ${label}`, placeholder: 'Name or ID' }}
      options={[
        ...rankCis([...(text === '' ? [] : named.cis), ...latest.cis.filter((ci) => hasWords(ci, text))], text).map(
          toOption,
        ),
        ...(text === '' ? [] : [{ value: text, label: `Use “${text}”` }]),
        ...(value === '' ? [] : [{ value: '', label: 'No item' }]),
      ]}
      loading={latest.loading || named.loading}
      loadingText="Searching items"
      empty="No items found"
      onFilter={setWords}
      onChange={onChange}
    />
  );
}

/** Exact names and ids first, then names that start with the text, then the others. Without a text, by name. */
export function rankCis<Found extends Pick<Ci, 'id' | 'name'>>(cis: readonly Found[], text: string): Found[] {
  const wanted = text.toLowerCase();
  const rank = ({ id, name }: Found) => {
    const lower = name.toLowerCase();
    if (lower === wanted || id.toLowerCase() === wanted) return 0;
    return lower.startsWith(wanted) ? 1 : 2;
  };
  return [...new Map(cis.map((ci) => [ci.id, ci])).values()].sort(
    (a, b) => rank(a) - rank(b) || (wanted === '' ? a.name.localeCompare(b.name) : 0),
  );
}

function hasWords({ id, name, class: kind }: Ci, text: string): boolean {
  const searched = `${name} ${id} ${kind}`.toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => searched.includes(word));
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

function toOption({ id, name, class: kind }: Ci) {
  return { value: id, label: name, tag: id, description: kind };
}

/** Several items, as ids separated by commas. */
function CiListPicker({ value, label, onChange }: CiPickerProps) {
  const ids = value.split(/[\s,]+/).filter((id) => id !== '');
  const cis = useCis(ids);
  const show = (chosen: readonly string[]) => onChange(chosen.map((id) => `${id}, `).join(''));
  return (
    <Stack gap="xs">
      <CiPicker value="" label={label} onChange={(id) => show([...new Set([...ids, id])])} />
      {ids.length > 0 && (
        <Tokens
          items={ids.map((id) => ({
            label: cis.get(id)?.name ?? id,
            tag: cis.has(id) ? id : undefined,
            dismissLabel: `Remove ${id}`,
          }))}
          onDismiss={(next) => show(ids.filter((_, place) => place !== next))}
        />
      )}
    </Stack>
  );
}

export function CiField({ name, label, value, problems, onChange }: CustomFieldProps) {
  return (
    <FormField label={label} errorText={problems[name]}>
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
      addText="Add relation"
      removeLabel={({ ci_id }) => `Remove relation to ${cis.get(ci_id)?.name ?? ci_id}`}
      empty="No relations."
      onAdd={() => write([...relations, { type: 'depends_on', ci_id: '' }])}
      onChange={write}
      columns={[
        {
          label: 'Relation',
          control: ({ type }: Relation, index: number) => (
            <Select
              value={type}
              options={types}
              onChange={(value) => change(index, { type: value as Relation['type'] })}
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
          errorText: (_: Relation, index: number) => problems[`relations[${index}].ci_id`],
        },
      ]}
    />
  );
}
