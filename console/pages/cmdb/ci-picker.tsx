import Autosuggest from '@cloudscape-design/components/autosuggest';
import SpaceBetween from '@cloudscape-design/components/space-between';
import TokenGroup from '@cloudscape-design/components/token-group';
import { useCallback, useState } from 'react';
import { useApi } from '../../api.ts';
import { useLoad } from '../../use-load.ts';
import type { Ci } from './ci-words.ts';
import { useCis } from './use-cis.ts';

interface CiPickerProps {
  value: string;
  label: string;
  onChange(id: string): void;
  /** When one was chosen, or a text was confirmed. */
  onChoose?(id: string): void;
}

const mostSuggested = 50;

/** An item, found by its name; ids may be typed as well, also of items that nobody has entered yet. */
export function CiPicker({ value, label, onChange, onChoose }: CiPickerProps) {
  // Nothing is asked for before somebody comes to the field: a form may have a hundred of them.
  const [words, setWords] = useState<string>();
  const latest = useFound(words === undefined ? undefined : { limit: mostSuggested, sort: 'updated_at' });
  const named = useFound(words && /[\p{L}\p{N}]/u.test(words) ? { limit: mostSuggested, q: words } : undefined);
  const found = new Map([...latest.cis, ...named.cis].map((ci) => [ci.id, ci]));
  return (
    <Autosuggest
      value={value}
      ariaLabel={label}
      placeholder="Name or ID"
      options={[...found.values()].map(optionOf)}
      statusType={latest.loading || named.loading ? 'loading' : 'finished'}
      loadingText="Searching items"
      empty="No suggestions"
      enteredTextLabel={(text) => `Use “${text}”`}
      onChange={({ detail }) => onChange(detail.value)}
      onLoadItems={({ detail }) => setWords(detail.filteringText)}
      onSelect={({ detail }) => (onChoose ?? onChange)(idOf(detail.value, [...found.values()]))}
    />
  );
}

function useFound(query: { limit: number; sort?: 'updated_at'; q?: string } | undefined) {
  const { client } = useApi();
  const asked = JSON.stringify(query ?? null);
  const load = useCallback(
    async (signal: AbortSignal) => (asked === 'null' ? [] : (await client.listCis(JSON.parse(asked), { signal })).data),
    [client, asked],
  );
  const { data = [], loading } = useLoad(load);
  return { cis: data, loading };
}

/** Whoever types the whole name of an item means it. */
function idOf(text: string, cis: readonly Ci[]): string {
  const named = cis.filter(({ name }) => name.toLowerCase() === text.trim().toLowerCase());
  return named.length === 1 ? named[0]!.id : text;
}

function optionOf({ id, name, class: kind }: Ci) {
  return { value: id, label: name, labelTag: id, description: kind };
}

/**
 * Several items, as ids with a comma behind each. What follows the last comma is still being typed; it counts, too, when
 * the form is sent, so nobody has to confirm it first.
 */
export function CiListPicker({ value, label, onChange }: Omit<CiPickerProps, 'onChoose'>) {
  const parts = value.split(',').map((part) => part.trim());
  const typed = parts.at(-1)!;
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
