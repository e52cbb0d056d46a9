import type { ReactNode } from 'react';
import { Container, type ContainerProps, Header, type HeaderProps, Stack } from './kit/index.ts';

interface TitledProps extends Pick<HeaderProps, 'actions' | 'counter' | 'description' | 'info'> {
  title: ReactNode;
  children?: ReactNode;
}

/** The heading of a page, and its content. */
export function PageLayout({ title, children, ...header }: TitledProps) {
  return (
    <Stack>
      <Header variant="h1" {...header}>
        {title}
      </Header>
      {children}
    </Stack>
  );
}

type PanelProps = TitledProps & Pick<ContainerProps, 'fitHeight' | 'footer'>;

/** A part of a page with its own heading. */
export function Panel({ title, children, fitHeight = false, footer, ...header }: PanelProps) {
  return (
    <Container fitHeight={fitHeight} footer={footer} header={<Header {...header}>{title}</Header>}>
      {children}
    </Container>
  );
}
