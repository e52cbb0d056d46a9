import Container from '@cloudscape-design/components/container';
import ContentLayout from '@cloudscape-design/components/content-layout';
import Header from '@cloudscape-design/components/header';
import type { ReactNode } from 'react';
import { FactsSkeleton } from '../../../components/facts-skeleton.tsx';
import { ProblemView } from '../../../components/problem-view.tsx';
import type { Loaded } from '../../../use-load.ts';

interface WebhookShellProps<Version> {
  loaded: Loaded<Version>;
  /** While there is nothing to show. */
  title: string;
  children(version: Version): ReactNode;
}

/** A page about one webhook, until it is there. */
export function WebhookShell<Version>({ loaded, title, children }: WebhookShellProps<Version>) {
  const { data, problem, reload } = loaded;
  if (data) return children(data);
  return (
    <ContentLayout header={<Header variant="h1">{title}</Header>}>
      {problem === undefined ? (
        <Container>
          <FactsSkeleton facts={5} label="Loading webhook" />
        </Container>
      ) : (
        <ProblemView problem={problem} onRetry={reload} />
      )}
    </ContentLayout>
  );
}
