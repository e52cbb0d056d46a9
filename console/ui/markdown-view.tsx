import type { ComponentProps } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import { ExternalLink } from './kit/index.ts';
import { PageLink } from './links.tsx';
import { isCostly, type Lines, rehypePlugins, remarkPlugins } from './markdown-options.ts';
import { Ago, Mention } from './text.tsx';

/** The parser of Markdown, which loads with the first text that needs it. */
export function MarkdownView({ source, lines }: { source: string; lines: Lines }) {
  if (isCostly(source)) return <p className="plain">{source}</p>;
  return (
    <ReactMarkdown remarkPlugins={remarkPlugins} rehypePlugins={rehypePlugins(lines)} components={components}>
      {source}
    </ReactMarkdown>
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
  span: ({ children, ...props }: ComponentProps<'span'> & { 'data-person'?: string }) =>
    props['data-person'] ? <Mention address={props['data-person']} /> : <span>{children}</span>,
  time: ({ dateTime = '' }) => <Ago at={dateTime} />,
  a: ({ href = '', children, ...props }: ComponentProps<'a'> & { 'data-record'?: string }) =>
    props['data-record'] ? (
      <PageLink to={href} fontSize="inherit">
        {children}
      </PageLink>
    ) : (
      <ExternalLink href={href} rel="noopener noreferrer nofollow">
        {children}
      </ExternalLink>
    ),
};
