import Box from '@cloudscape-design/components/box';
import type { ReactNode } from 'react';
import { Panel } from '../../ui/layouts.tsx';

export const chartHeight = 220;

export const toDate = (date: string) => new Date(`${date}T00:00:00Z`);

export const formatDay = (date: Date) =>
  date.toLocaleDateString('en', { month: 'short', day: 'numeric', timeZone: 'UTC' });

interface ChartPanelProps {
  title: string;
  description?: string | undefined;
  /** Replaces the chart when there is nothing to draw: axes without data have no scale. */
  empty?: string | false | undefined;
  children: ReactNode;
}

export function ChartPanel({ title, description, empty, children }: ChartPanelProps) {
  return (
    <Panel title={title} {...(description === undefined ? {} : { description })} fitHeight>
      {empty ? <Box color="text-body-secondary">{empty}</Box> : children}
    </Panel>
  );
}
