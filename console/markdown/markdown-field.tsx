import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import FormField from '@cloudscape-design/components/form-field';
import Textarea from '@cloudscape-design/components/textarea';
import { type ReactNode, useState } from 'react';
import { Markdown } from './markdown.tsx';
import type { Lines } from './markdown-options.ts';

interface MarkdownFieldProps {
  label: string;
  description?: ReactNode;
  value: string;
  onChange(value: string): void;
  /** Control and Enter, or Command and Enter. */
  onSubmit?: () => void;
  errorText?: ReactNode;
  rows?: number;
  placeholder?: string;
  lines?: Lines;
}

const constraint = 'Markdown: # heading, **bold**, *italic*, `code`, - list, [text](https://…)';

/** A text area with a look at the result. */
export function MarkdownField({ label, value, onChange, onSubmit, ...rest }: MarkdownFieldProps) {
  const [previewing, setPreviewing] = useState(false);
  return (
    <FormField
      label={label}
      description={rest.description}
      constraintText={previewing ? undefined : constraint}
      errorText={rest.errorText}
      info={
        <Button
          variant="inline-link"
          formAction="none"
          ariaLabel={previewing ? `Write: ${label}` : `Preview: ${label}`}
          onClick={() => setPreviewing(!previewing)}
        >
          {previewing ? 'Write' : 'Preview'}
        </Button>
      }
      stretch
    >
      {previewing ? (
        <div className="preview">
          {value.trim() === '' ? (
            <Box color="text-status-inactive">Nothing to preview</Box>
          ) : (
            <Markdown source={value} {...(rest.lines ? { lines: rest.lines } : {})} />
          )}
        </div>
      ) : (
        <Textarea
          value={value}
          rows={rest.rows ?? 8}
          placeholder={rest.placeholder ?? ''}
          onChange={({ detail }) => onChange(detail.value)}
          onKeyDown={({ detail }) => {
            if (detail.key === 'Enter' && (detail.ctrlKey || detail.metaKey)) onSubmit?.();
          }}
        />
      )}
    </FormField>
  );
}
