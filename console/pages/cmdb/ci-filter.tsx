import Select from '@cloudscape-design/components/select';
import TokenGroup from '@cloudscape-design/components/token-group';
import { SearchInput } from '../../components/search-input.tsx';
import type { CiView } from './ci-view.ts';
import { ciStatuses, statusNames } from './ci-words.ts';

interface CiFilterProps {
  view: CiView;
  onChange(change: Partial<CiView>): void;
}

export function CiFilter({ view, onChange }: CiFilterProps) {
  return (
    <div className="article-filter">
      <SearchInput
        value={view.q}
        label="Search configuration items"
        placeholder="Name, class, owner, location, address …"
        onChange={(q) => onChange({ q })}
      />
      <Select
        ariaLabel="Status"
        selectedOption={statusOptions.find(({ value }) => value === view.status)!}
        options={statusOptions}
        onChange={({ detail }) => onChange({ status: detail.selectedOption.value as CiView['status'] })}
      />
      <Chosen view={view} onChange={onChange} />
    </div>
  );
}

const statusOptions = [
  { value: '', label: 'Any status' },
  ...ciStatuses.map((value) => ({ value, label: statusNames[value] })),
];

/** Class and environment are chosen by a click in the list, and taken back here. */
function Chosen({ view, onChange }: CiFilterProps) {
  const chosen = [
    ...(view.class ? [{ label: `Class: ${view.class}`, clear: { class: '' } }] : []),
    ...(view.environment ? [{ label: `Environment: ${view.environment}`, clear: { environment: '' } }] : []),
  ];
  if (chosen.length === 0) return null;
  return (
    <TokenGroup
      items={chosen.map(({ label }) => ({ label, dismissLabel: `Remove ${label}` }))}
      onDismiss={({ detail }) => onChange(chosen[detail.itemIndex]!.clear)}
    />
  );
}
