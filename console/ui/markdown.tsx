import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import FormField from '@cloudscape-design/components/form-field';
import Link from '@cloudscape-design/components/link';
import TextContent from '@cloudscape-design/components/text-content';
import Textarea from '@cloudscape-design/components/textarea';
import { type ComponentProps, type ReactNode, useMemo, useState } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import { PageLink } from './links.tsx';
import { isCostly, type Lines, rehypePlugins, remarkPlugins } from './markdown-options.ts';

/** Renders Markdown that users wrote. */
export function Markdown({ source, lines = 'kept' }: { source: string; lines?: Lines }) {
  const content = useMemo(
    () =>
      isCostly(source) ? (
        <p className="plain">{source}</p>
      ) : (
        <ReactMarkdown remarkPlugins={remarkPlugins} rehypePlugins={rehypePlugins(lines)} components={components}>
          {source}
        </ReactMarkdown>
      ),
    [source, lines],
  );
  return (
    <TextContent>
      <div className="markdown wrapping">{content}</div>
    </TextContent>
  );
}

/** Headings start below those of the page, which keeps the page outline correct. */
const components: Components = {
  h1: 'h3',
  h2: 'h4',
  h3: 'h5',
  h4: 'h5',
  h5: 'h5',
  h6: 'h5',
  pre: ({ node: _, ...props }) => <pre {...props} className="command" />,
  table: ({ node: _, ...props }) => (
    <div className="table">
      <table {...props} />
    </div>
  ),
  a: ({ href = '', children, ...props }: ComponentProps<'a'> & { 'data-record'?: string }) =>
    props['data-record'] ? (
      <PageLink to={href} fontSize="inherit">
        {children}
      </PageLink>
    ) : (
      <Link href={href} external rel="noopener noreferrer nofollow" externalIconAriaLabel="Opens in a new tab">
        {children}
      </Link>
    ),
};

interface MarkdownFieldProps {
  label: string;
  description?: ReactNode;
  value: string;
  onChange(value: string): void;
  /** Called on Ctrl+Enter or Command+Enter. */
  onSubmit?: () => void;
  errorText?: ReactNode;
  rows?: number;
  placeholder?: string;
  lines?: Lines;
}

const constraint = 'Markdown: # heading, **bold**, *italic*, `code`, - list, [text](https://…)';

/** A text area with a preview. */
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
