import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard';
import Header from '@cloudscape-design/components/header';
import Skeleton from '@cloudscape-design/components/skeleton';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';

/** A placeholder of the same size as the facts, so that the page does not jump. */
export function FactsSkeleton({ facts, label }: { facts: number; label: string }) {
  return (
    <div role="status" aria-label={label} className="skeleton">
      <SpaceBetween size="l">
        {Array.from({ length: facts }, (_, index) => `fact ${index}`).map((key) => (
          <SpaceBetween key={key} size="xxs">
            <Skeleton variant="text-body-s" width="30%" />
            <Skeleton variant="text-body-m" width="60%" />
          </SpaceBetween>
        ))}
      </SpaceBetween>
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
    <SpaceBetween size="xs">
      <Header
        variant="h3"
        description={description}
        actions={
          <CopyToClipboard
            copyButtonText="Copy"
            copyButtonAriaLabel={`Copy: ${title}`}
            copySuccessText="Copied"
            copyErrorText="Could not copy"
            textToCopy={text}
          />
        }
      >
        {title}
      </Header>
      <pre className="command">{text}</pre>
    </SpaceBetween>
  );
}
