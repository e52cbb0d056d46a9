import type { ReactNode } from 'react';
import { ServiceProblem } from '../../client/index.ts';
import { Box, Button, Container, CopyButton, Stack } from './kit/index.ts';
import { PageLayout } from './layouts.tsx';
import { FactsSkeleton } from './panels.tsx';

interface ProblemPageProps {
  /** Undefined for an address without a page. */
  problem?: unknown;
  /** What the page would show, such as "incident INC1234567". */
  thing?: string;
  onRetry?: () => void;
  /** More buttons. */
  children?: ReactNode;
}

/** Fills a page that cannot show what its address names: nothing is there, or the service does not answer. */
export function ProblemPage({ problem, thing = 'page', onRetry, children }: ProblemPageProps) {
  const { title, text, requestId, canRetry } = describe(problem, thing);
  return (
    <Box center padded="xxl">
      <Stack gap="m">
        <Box variant="h1">{title}</Box>
        <Box muted>{text}</Box>
        <div className="centered">
          {onRetry && canRetry && <Button onClick={onRetry}>Try again</Button>}
          {children}
          <Button variant="primary" to="/">
            Go to overview
          </Button>
        </div>
        {requestId && (
          <Box small muted>
            Request <CopyButton label="Copy request ID" value={requestId} isValueShown />
          </Box>
        )}
      </Stack>
    </Box>
  );
}

function describe(problem: unknown, thing: string) {
  const name = thing.charAt(0).toUpperCase() + thing.slice(1);
  const isProblem = problem instanceof ServiceProblem;
  if (problem === undefined || (isProblem && problem.status === 404)) {
    return { title: `${name} not found`, text: 'Check the address. It may also have been deleted or moved.' };
  }
  if (!isProblem) {
    const text = problem instanceof Error ? problem.message : String(problem);
    return { title: 'Something went wrong', text, canRetry: true };
  }
  return { title: problem.title, text: problem.detail, requestId: problem.requestId, canRetry: true };
}

interface PendingPageProps {
  title: ReactNode;
  thing: string;
  loaded: { problem: unknown; reload(): void };
  /** More buttons where it is not found. */
  children?: ReactNode;
}

/** A page until its record arrives, or why it does not. */
export function PendingPage({ title, thing, loaded: { problem, reload }, children }: PendingPageProps) {
  if (problem !== undefined) {
    return (
      <ProblemPage problem={problem} thing={thing} onRetry={reload}>
        {children}
      </ProblemPage>
    );
  }
  return (
    <PageLayout title={title}>
      <Container>
        <FactsSkeleton facts={6} label={`Loading ${thing}`} />
      </Container>
    </PageLayout>
  );
}
