import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { PageButton } from '../../../components/page-button.tsx';
import { useMay } from '../../../use-may.ts';
import { isFiltered, type ListView } from './list-view.ts';
import type { IncidentList } from './use-incident-list.ts';

interface ListEmptyProps {
  list: IncidentList;
  onShow(change: Partial<ListView>): void;
}

/** Why there is nothing to see, and what to do about it. */
export function ListEmpty({ list, onShow }: ListEmptyProps) {
  const mayWrite = useMay('itsm_agent');
  if (list.stale) return <Box textAlign="center">Could not load incidents.</Box>;
  if ((list.data?.total ?? 0) > 0) {
    return (
      <Message title="Page not found" text="The list has fewer pages now.">
        <Button onClick={() => onShow({ page: 1 })}>Go to first page</Button>
      </Message>
    );
  }
  if (isFiltered(list.view)) {
    return (
      <Message title="No matches" text="No incidents match the filters.">
        <Button onClick={() => onShow({ filters: { state: [], priority: [] }, created: undefined })}>
          Clear filters
        </Button>
      </Message>
    );
  }
  return (
    <Message title="No incidents" text="There are no incidents to display.">
      {mayWrite && <PageButton to="/incidents/new">Create incident</PageButton>}
    </Message>
  );
}

function Message({ title, text, children }: { title: string; text: string; children: React.ReactNode }) {
  return (
    <Box textAlign="center" padding={{ vertical: 'l' }}>
      <SpaceBetween size="s">
        <SpaceBetween size="xxs">
          <Box variant="strong">{title}</Box>
          <Box color="text-body-secondary">{text}</Box>
        </SpaceBetween>
        {children}
      </SpaceBetween>
    </Box>
  );
}
