import { type ReactNode, Suspense, useMemo, useState } from 'react';
import { Box, Button, FormField, Textarea } from './kit/index.ts';
import { lazyPage } from './lazy-page.ts';
import { PageLink } from './links.tsx';
import type { Lines } from './markdown-options.ts';
import { FactsSkeleton } from './panels.tsx';
import { isPlainText, splitText, type TextPart } from './plain-text.ts';
import { Ago, Mention } from './text.tsx';

const MarkdownView = lazyPage(() => import('./markdown-view.tsx'), 'MarkdownView');

/** Renders Markdown that users wrote. Most texts have no markup and need no parser. */
export function Markdown({ source, lines = 'kept' }: { source: string; lines?: Lines }) {
  const content = useMemo(
    () =>
      isPlainText(source) ? (
        <PlainText source={source} lines={lines} />
      ) : (
        <Suspense fallback={<FactsSkeleton facts={2} label="Loading text" />}>
          <MarkdownView source={source} lines={lines} />
        </Suspense>
      ),
    [source, lines],
  );
  return <div className="markdown wrapping">{content}</div>;
}

function PlainText({ source, lines }: { source: string; lines: Lines }) {
  return source
    .split(/\n{2,}/)
    .filter((text) => text.trim() !== '')
    .map((text, place) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: paragraphs have no other identity.
      <p key={place} className={lines === 'kept' ? 'plain' : ''}>
        {splitText(text.trim()).map((part) => (
          <Part key={part.at} {...part} />
        ))}
      </p>
    ));
}

function Part({ part, path, person, time }: TextPart) {
  if (person !== undefined) return <Mention address={person} />;
  if (time !== undefined) return <Ago at={time} />;
  if (path === undefined) return part;
  return (
    <PageLink to={path} fontSize="inherit">
      {part}
    </PageLink>
  );
}

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
          variant="inline"
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
            <Box muted>Nothing to preview</Box>
          ) : (
            <Markdown source={value} {...(rest.lines ? { lines: rest.lines } : {})} />
          )}
        </div>
      ) : (
        <Textarea
          value={value}
          rows={rest.rows ?? 8}
          placeholder={rest.placeholder ?? ''}
          onChange={onChange}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) onSubmit?.();
          }}
        />
      )}
    </FormField>
  );
}
