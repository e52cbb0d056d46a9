import type { PropertyFilterProps } from '@cloudscape-design/components/property-filter';
import SegmentedControl from '@cloudscape-design/components/segmented-control';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useRef, useState } from 'react';
import { useCaller } from '../../../caller.tsx';
import { ProblemView } from '../../../components/problem-view.tsx';
import { changeQuery, navigate } from '../../../location.ts';
import { useMay } from '../../../use-may.ts';
import { useNarrowScreen } from '../../../use-media.ts';
import { useShortcuts } from '../../../use-shortcuts.ts';
import type { Incident } from '../incident-words.ts';
import { BulkUpdate } from './bulk-update.tsx';
import { IncidentCards } from './incident-cards.tsx';
import { IncidentFilter } from './incident-filter.tsx';
import { IncidentTable } from './incident-table.tsx';
import { ListEmpty } from './list-empty.tsx';
import { ListHeader } from './list-header.tsx';
import { ListPages } from './list-pages.tsx';
import { ListSettings } from './list-settings.tsx';
import type { ListView } from './list-view.ts';
import { queryOf } from './list-view.ts';
import { quickViewOf, quickViews } from './quick-views.ts';
import { useIncidentList } from './use-incident-list.ts';

export function IncidentListPage() {
  const list = useIncidentList();
  const mayWrite = useMay('itsm_agent');
  const narrow = useNarrowScreen();
  const filter = useRef<PropertyFilterProps.Ref>(null);
  const [selection, setSelection] = useState<{ query: string; ids: readonly string[] }>({ query: '', ids: [] });
  const [updating, setUpdating] = useState(false);
  const query = queryOf(list.view);
  const incidents = list.stale ? [] : (list.data?.incidents ?? []);
  const selected = selection.query === query ? incidents.filter(({ id }) => selection.ids.includes(id)) : [];
  const show = (change: Partial<ListView>) => changeQuery(queryOf({ ...list.view, page: 1, ...change }));
  useShortcuts({
    '/': () => filter.current?.focus(),
    ...(mayWrite ? { n: () => navigate('/incidents/new') } : {}),
  });
  const Collection = narrow ? IncidentCards : IncidentTable;
  return (
    <SpaceBetween size="m">
      {list.problem !== undefined && <ProblemView problem={list.problem} onRetry={list.reload} />}
      <Collection
        incidents={incidents}
        loading={list.stale && list.problem === undefined}
        view={list.view}
        total={list.data?.total}
        onSort={(sort, order) => show({ sort, order })}
        selected={mayWrite ? selected : undefined}
        onSelect={(chosen: readonly Incident[]) => setSelection({ query, ids: chosen.map(({ id }) => id) })}
        header={<ListHeader list={list} selected={selected} onUpdate={() => setUpdating(true)} />}
        filter={
          <SpaceBetween size="s">
            <QuickViews view={list.view} onChange={show} />
            <IncidentFilter ref={filter} view={list.view} countText={countText(list.data?.total)} onChange={show} />
          </SpaceBetween>
        }
        pagination={<ListPages view={list.view} total={list.data?.total} onChange={(page) => show({ page })} />}
        preferences={<ListSettings view={list.view} onPageSize={(limit) => show({ limit })} />}
        empty={<ListEmpty list={list} onShow={show} />}
      />
      {updating && <BulkUpdate incidents={selected} onClose={() => setUpdating(false)} onFinished={list.reload} />}
    </SpaceBetween>
  );
}

function QuickViews({ view, onChange }: { view: ListView; onChange(change: Partial<ListView>): void }) {
  const { data: caller } = useCaller();
  const views = quickViews(caller?.email);
  return (
    <SegmentedControl
      label="Views"
      selectedId={quickViewOf(view, views)}
      options={views.map(({ id, text }) => ({ id, text }))}
      onChange={({ detail }) => {
        const chosen = views.find(({ id }) => id === detail.selectedId);
        if (chosen) onChange({ filters: chosen.filters, created: undefined });
      }}
    />
  );
}

function countText(total: number | undefined): string {
  if (total === undefined) return '';
  return total === 1 ? '1 match' : `${total.toLocaleString('en')} matches`;
}
