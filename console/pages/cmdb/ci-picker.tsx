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

const mostSuggested = 100;

/** An item, found by its name; ids may be typed as well, also of items that nobody has entered yet. */
export function CiPicker({ value, label, onChange, onChoose }: CiPickerProps) {
  const [words, setWords] = useState('');
  const { client } = useApi();
  const load = useCallback(
    (signal: AbortSignal) => {
      const search = /[\p{L}\p{N}]/u.test(words) ? { q: words } : {};
      const latest = client.listCis({ limit: mostSuggested, sort: 'updated_at' }, { signal });
      return Promise.all([latest, 'q' in search ? client.listCis({ ...search, limit: 20 }, { signal }) : latest]);
    },
    [client, words],
  );
  const { data, loading } = useLoad(load);
  const found = new Map((data ?? []).flatMap(({ data: page }) => page.map((ci) => [ci.id, ci] as const)));
  return (
    <Autosuggest
      value={value}
      ariaLabel={label}
      placeholder="Name or id"
      options={[...found.values()].map(optionOf)}
      statusType={loading && !data ? 'loading' : 'finished'}
      loadingText="Looking for items"
      empty="Nothing to suggest"
      enteredTextLabel={(text) => `Use “${text}”`}
      onChange={({ detail }) => onChange(detail.value)}
      onLoadItems={({ detail }) => setWords(detail.filteringText)}
      onSelect={({ detail }) => onChoose?.(detail.value)}
    />
  );
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
