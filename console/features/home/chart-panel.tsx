import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import type { ReactNode } from 'react';

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
