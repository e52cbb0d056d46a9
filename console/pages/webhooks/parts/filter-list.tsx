import Box from '@cloudscape-design/components/box';
import { type Filter, operators } from '../webhook-words.ts';
import { filterDraftOf } from './filter-draft.ts';

export function FilterList({ filters }: { filters: readonly Filter[] }) {
  if (filters.length === 0) return <Box color="text-status-inactive">All events match.</Box>;
  return (
    <ul className="changes">
      {filters.map((filter) => (
        <li key={JSON.stringify(filter)} className="wrapping">
          <code>{filter.field}</code> {operators[filter.operator]} <strong>{filterDraftOf(filter).value}</strong>
        </li>
      ))}
    </ul>
  );
}
