import Box from '@cloudscape-design/components/box';
import Cards from '@cloudscape-design/components/cards';
import FormField from '@cloudscape-design/components/form-field';
import Select from '@cloudscape-design/components/select';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { IncidentSort } from '../../../../contract/incidents.ts';
import { Ago } from '../../../components/moment.tsx';
import { PageLink } from '../../../components/page-link.tsx';
import { type Incident, incidentPath } from '../incident-words.ts';
import { PriorityBadge } from '../priority-badge.tsx';
import { SlaLabel } from '../sla-label.tsx';
import { StateLabel } from '../state-label.tsx';
import type { CollectionProps } from './collection-props.ts';
import type { ListView } from './list-view.ts';

/** The list on small screens, where a table would have to be pushed around. */
export function IncidentCards(props: CollectionProps) {
  const { incidents, loading, view, total, onSort, selected, onSelect } = props;
  return (
    <Cards
      variant="full-page"
      items={incidents}
      trackBy="id"
      cardsPerRow={[{ cards: 1 }]}
      cardDefinition={{ header: title, sections: [{ id: 'facts', content: facts }] }}
      loading={loading}
      loadingText="Loading incidents"
      {...(selected ? { selectionType: 'multi' as const, selectedItems: selected } : {})}
      onSelectionChange={({ detail }) => onSelect(detail.selectedItems)}
      ariaLabels={{
        cardsLabel: 'Incidents',
        selectionGroupLabel: 'Selected incidents',
        itemSelectionLabel: (_, { id }) => `Select ${id}`,
      }}
      firstIndex={(view.page - 1) * view.limit + 1}
      {...(total === undefined ? {} : { totalItemsCount: total })}
      header={props.header}
      filter={
        <SpaceBetween size="s">
          {props.filter}
          <Sorting view={view} onSort={onSort} />
        </SpaceBetween>
      }
      pagination={props.pagination}
      preferences={props.preferences}
      empty={props.empty}
    />
  );
}

function title({ id, short_description }: Incident) {
  return (
    <span className="wrapping">
      <PageLink to={incidentPath(id)} fontSize="heading-s">
        {short_description}
      </PageLink>
    </span>
  );
}

function facts(incident: Incident) {
  const { id, priority, state, assignment_group, assigned_to, updated_at } = incident;
  return (
    <SpaceBetween size="xs">
      <SpaceBetween direction="horizontal" size="s" alignItems="center">
        <PriorityBadge priority={priority} />
        <StateLabel state={state} />
        <SlaLabel incident={incident} />
      </SpaceBetween>
      <Box color="text-body-secondary" fontSize="body-s">
        <span className="wrapping">
          {id} · {assigned_to ?? assignment_group ?? 'unassigned'} · updated <Ago at={updated_at} />
        </span>
      </Box>
    </SpaceBetween>
  );
}

const sortings: readonly { value: string; label: string; sort: IncidentSort; order: ListView['order'] }[] = [
  { value: 'created_at desc', label: 'Newest first', sort: 'created_at', order: 'desc' },
  { value: 'created_at asc', label: 'Oldest first', sort: 'created_at', order: 'asc' },
  { value: 'priority asc', label: 'Most urgent first', sort: 'priority', order: 'asc' },
  { value: 'priority desc', label: 'Least urgent first', sort: 'priority', order: 'desc' },
  { value: 'updated_at desc', label: 'Recently updated first', sort: 'updated_at', order: 'desc' },
  { value: 'updated_at asc', label: 'Least recently updated first', sort: 'updated_at', order: 'asc' },
];

function Sorting({ view, onSort }: Pick<CollectionProps, 'view' | 'onSort'>) {
  const chosen = sortings.find(({ sort, order }) => sort === view.sort && order === view.order)!;
  return (
    <FormField label="Sort by">
      <Select
        selectedOption={chosen}
        options={sortings}
        onChange={({ detail }) => {
          const { sort, order } = sortings.find(({ value }) => value === detail.selectedOption.value)!;
          onSort(sort, order);
        }}
      />
    </FormField>
  );
}
