import Table from '@cloudscape-design/components/table';
import type { IncidentSort } from '../../../../contract/incidents.ts';
import { useStore } from '../../../use-store.ts';
import type { CollectionProps } from './collection-props.ts';
import { incidentColumns } from './incident-columns.tsx';
import { listPreferences } from './list-preferences.ts';

const skeletonRows = 10;

export function IncidentTable(props: CollectionProps) {
  const { incidents, loading, view, total, onSort, selected, onSelect } = props;
  const { contentDisplay, contentDensity, wrapLines } = useStore(listPreferences);
  return (
    <Table
      variant="full-page"
      stickyHeader
      items={incidents}
      trackBy="id"
      columnDefinitions={incidentColumns}
      columnDisplay={contentDisplay}
      contentDensity={contentDensity}
      wrapLines={wrapLines}
      loading={loading}
      loadingText="Loading incidents"
      skeleton={{ totalRows: skeletonRows }}
      {...(selected ? { selectionType: 'multi' as const, selectedItems: selected } : {})}
      onSelectionChange={({ detail }) => onSelect(detail.selectedItems)}
      sortingColumn={{ sortingField: view.sort }}
      sortingDescending={view.order === 'desc'}
      onSortingChange={({ detail }) => {
        const sort = detail.sortingColumn.sortingField as IncidentSort;
        // The latest first is what a column of times is sorted for; the most urgent first comes by itself.
        const descending = sort === view.sort ? detail.isDescending : sort !== 'priority';
        onSort(sort, descending ? 'desc' : 'asc');
      }}
      ariaLabels={{
        tableLabel: 'Incidents',
        selectionGroupLabel: 'Selected incidents',
        allItemsSelectionLabel: () => 'Select all on this page',
        itemSelectionLabel: (_, { id }) => `Select ${id}`,
      }}
      firstIndex={(view.page - 1) * view.limit + 1}
      {...(total === undefined ? {} : { totalItemsCount: total })}
      header={props.header}
      filter={props.filter}
      pagination={props.pagination}
      preferences={props.preferences}
      empty={props.empty}
    />
  );
}
