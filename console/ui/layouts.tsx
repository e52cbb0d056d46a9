import Container, { type ContainerProps } from '@cloudscape-design/components/container';
import ContentLayout from '@cloudscape-design/components/content-layout';
import Header, { type HeaderProps } from '@cloudscape-design/components/header';
import type { ReactNode } from 'react';

interface TitledProps extends Pick<HeaderProps, 'actions' | 'counter' | 'description' | 'info'> {
  title: ReactNode;
  children?: ReactNode;
}

/** The heading of a page, and its content. */
export function PageLayout({ title, children, ...header }: TitledProps) {
  return (
    <ContentLayout
      header={
        <Header variant="h1" {...header}>
          {title}
        </Header>
      }
    >
      {children}
    </ContentLayout>
  );
}

type PanelProps = TitledProps & Pick<ContainerProps, 'fitHeight' | 'footer'>;

/** A part of a page with its own heading. */
export function Panel({ title, children, fitHeight = false, footer, ...header }: PanelProps) {
  return (
    <Container
      fitHeight={fitHeight}
      footer={footer}
      header={
        <Header variant="h2" {...header}>
          {title}
        </Header>
      }
    >
      {children}
    </Container>
  );
}
