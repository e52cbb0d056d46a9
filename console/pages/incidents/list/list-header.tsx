import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { PageButton } from '../../../components/page-button.tsx';
import { useMay } from '../../../use-may.ts';
import { useNarrowScreen } from '../../../use-media.ts';
import type { Incident } from '../incident-words.ts';
import { type IncidentList, polling } from './use-incident-list.ts';

/** As many as the service takes in one request. */
const mostAtOnce = 100;

interface ListHeaderProps {
  list: IncidentList;
  selected: readonly Incident[];
  onUpdate(): void;
}

export function ListHeader({ list, selected, onUpdate }: ListHeaderProps) {
  const mayWrite = useMay('itsm_agent');
  const narrow = useNarrowScreen();
  const keys = mayWrite ? ' Shortcuts: / to search, n to create an incident.' : ' Shortcut: / to search.';
  const tooMany = selected.length > mostAtOnce;
  return (
    <Header
      variant="awsui-h1-sticky"
      counter={counterOf(list, selected.length)}
      description={descriptionOf(list, narrow ? '' : keys)}
      actions={
        <SpaceBetween direction="horizontal" size="xs">
          <Button
            iconName="refresh"
            ariaLabel="Refresh list"
            loading={list.loading && !list.stale}
            onClick={list.reload}
          />
          {mayWrite && (
            <Button
              disabled={selected.length === 0 || tooMany}
              {...(tooMany ? { disabledReason: `You can update up to ${mostAtOnce} incidents at a time.` } : {})}
              onClick={onUpdate}
            >
              Update selected
            </Button>
          )}
          {mayWrite && (
            <PageButton to="/incidents/new" variant="primary">
              Create incident
            </PageButton>
          )}
        </SpaceBetween>
      }
    >
      Incidents
    </Header>
  );
}

function descriptionOf({ paused }: IncidentList, keys: string): string {
  if (paused) return 'Automatic refresh is paused. Refresh to resume.';
  return `Refreshes every ${polling.intervalMs / 1000} seconds.${keys}`;
}

function counterOf({ data }: IncidentList, selected: number): string {
  if (!data) return '';
  const total = data.total.toLocaleString('en');
  return selected > 0 ? `(${selected}/${total})` : `(${total})`;
}
