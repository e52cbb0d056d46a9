import Link from '@cloudscape-design/components/link';
import TextContent from '@cloudscape-design/components/text-content';
import { type ComponentProps, useMemo } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import { PageLink } from '../components/page-link.tsx';
import { isCostly, type Lines, rehypePlugins, remarkPlugins } from './markdown-options.ts';

/** Text that somebody wrote in Markdown. */
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

/** Headings are below those of the page, so that its outline stays whole. */
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
