import type { ReactNode } from 'react';
import { CopyButton, Header, Skeleton, Stack } from './kit/index.ts';

/** A placeholder of the same size as the facts, so that the page does not jump. */
export function FactsSkeleton({ facts, label }: { facts: number; label: string }) {
  return (
    <div role="status" aria-label={label} className="skeleton">
      <Stack>
        {Array.from({ length: facts }, (_, index) => `fact ${index}`).map((key) => (
          <Stack key={key} gap="xxs">
            <Skeleton width="30%" />
            <Skeleton width="60%" />
          </Stack>
        ))}
      </Stack>
    </div>
  );
}

interface JsonViewProps {
  title: string;
  description?: ReactNode;
  value: unknown;
}

export function JsonView({ title, description, value }: JsonViewProps) {
  const text = JSON.stringify(value, null, 2) ?? 'null';
  return (
    <Stack gap="xs">
      <Header
        variant="h3"
        description={description}
        actions={<CopyButton text="Copy" label={`Copy: ${title}`} value={text} />}
      >
        {title}
      </Header>
      <pre className="command">{text}</pre>
    </Stack>
  );
}
