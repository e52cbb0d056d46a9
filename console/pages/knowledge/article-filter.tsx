import Select from '@cloudscape-design/components/select';
import TokenGroup from '@cloudscape-design/components/token-group';
import { SearchInput } from '../../components/search-input.tsx';
import { useMay } from '../../use-may.ts';
import type { ArticleView } from './article-view.ts';
import { type Article, stateNames } from './article-words.ts';

interface ArticleFilterProps {
  view: ArticleView;
  onChange(change: Partial<ArticleView>): void;
}

export function ArticleFilter({ view, onChange }: ArticleFilterProps) {
  const mayReadDrafts = useMay('itsm_manager');
  return (
    <div className="article-filter">
      <SearchInput
        value={view.q}
        label="Search articles"
        placeholder="Search by symptom, error code or product"
        onChange={(q) => onChange({ q })}
      />
      {mayReadDrafts && (
        <Select
          ariaLabel="State"
          selectedOption={stateOptions.find(({ value }) => value === view.state)!}
          options={stateOptions}
          onChange={({ detail }) => onChange({ state: detail.selectedOption.value as ArticleView['state'] })}
        />
      )}
      <Chosen view={view} onChange={onChange} />
    </div>
  );
}

const stateOptions = [
  { value: '', label: 'All states' },
  ...(Object.keys(stateNames) as Article['state'][]).map((value) => ({ value, label: stateNames[value] })),
];

/** Category and tag are chosen by a click on an article, and taken back here. */
function Chosen({ view, onChange }: ArticleFilterProps) {
  const chosen = [
    ...(view.category ? [{ label: `Category: ${view.category}`, clear: { category: '' } }] : []),
    ...(view.tags ? [{ label: `Tag: ${view.tags}`, clear: { tags: '' } }] : []),
  ];
  if (chosen.length === 0) return null;
  return (
    <TokenGroup
      items={chosen.map(({ label }) => ({ label, dismissLabel: `Remove ${label}` }))}
      onDismiss={({ detail }) => onChange(chosen[detail.itemIndex]!.clear)}
    />
  );
}
