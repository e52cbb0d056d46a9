import type { ReactNode } from 'react';
import { Box } from '../../ui/kit/index.ts';
import { Panel } from '../../ui/layouts.tsx';
import { FactsSkeleton } from '../../ui/panels.tsx';

export const toDate = (date: string) => new Date(`${date}T00:00:00Z`);

export const formatDay = (date: Date) =>
  date.toLocaleDateString('en', { month: 'short', day: 'numeric', timeZone: 'UTC' });

interface ChartPanelProps {
  title: string;
  description?: string | undefined;
  /** Replaces the chart when there is nothing to draw: axes without data have no scale. */
  empty?: string | false | undefined;
  /** Undefined until the data of the chart arrives. */
  data: unknown;
  children: ReactNode;
}

export function ChartPanel({ title, description, empty, data, children }: ChartPanelProps) {
  return (
    <Panel title={title} description={description} fitHeight>
      {data === undefined && <FactsSkeleton facts={3} label={`Loading ${title.toLowerCase()}`} />}
      {data !== undefined && (empty ? <Box muted>{empty}</Box> : children)}
    </Panel>
  );
}
