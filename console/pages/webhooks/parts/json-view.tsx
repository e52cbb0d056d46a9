import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';

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
