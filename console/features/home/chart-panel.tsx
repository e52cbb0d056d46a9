import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import type { ReactNode } from 'react';

export const chartHeight = 220;

export const toDate = (date: string) => new Date(`${date}T00:00:00Z`);

export const formatDay = (date: Date) =>
  date.toLocaleDateString('en', { month: 'short', day: 'numeric', timeZone: 'UTC' });

export function ChartPanel({
  title,
  description,
  children,
}: {
  title: string;
  description?: string;
  children: ReactNode;
}) {
  return (
    <Container
      fitHeight
      header={
        <Header variant="h2" {...(description === undefined ? {} : { description })}>
          {title}
        </Header>
      }
    >
      {children}
    </Container>
  );
}
