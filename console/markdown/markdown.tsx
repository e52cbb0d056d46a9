import Link from '@cloudscape-design/components/link';
import TextContent from '@cloudscape-design/components/text-content';
import { createContext, Fragment, type ReactNode, useContext, useMemo } from 'react';
import { PageLink } from '../components/page-link.tsx';
import { type Block, type Inline, parseMarkdown } from './parse-markdown.ts';

/** Reports are written line by line; in articles a line ends where the writer's window did. */
export type Lines = 'kept' | 'joined';

const LinesContext = createContext<Lines>('kept');

/** Text that somebody wrote in Markdown. */
export function Markdown({ source, lines = 'kept' }: { source: string; lines?: Lines }) {
  const blocks = useMemo(() => parseMarkdown(source), [source]);
  return (
    <TextContent>
      <LinesContext value={lines}>
        <div className="markdown wrapping">{blocksOf(blocks)}</div>
      </LinesContext>
    </TextContent>
  );
}

function LineBreak() {
  return useContext(LinesContext) === 'kept' ? <br /> : ' ';
}

// The parts of a text have no identity beyond their place in it, and it is drawn anew as a whole when it changes.
function placed(parts: readonly ReactNode[]): ReactNode {
  return parts.map((part, place) => {
    const key = `part ${place}`;
    return <Fragment key={key}>{part}</Fragment>;
  });
}

function blocksOf(blocks: readonly Block[]): ReactNode {
  return placed(blocks.map(blockOf));
}

function blockOf(block: Block): ReactNode {
  switch (block.kind) {
    case 'heading':
      return <Heading level={block.level}>{inlinesOf(block.children)}</Heading>;
    case 'paragraph':
      return <p>{inlinesOf(block.children)}</p>;
    case 'code':
      return <pre className="command">{block.text}</pre>;
    case 'quote':
      return <blockquote>{blocksOf(block.children)}</blockquote>;
    case 'table':
      return <Table head={block.head} rows={block.rows} />;
    case 'rule':
      return <hr />;
    case 'list': {
      const items = placed(block.items.map((item) => <li key="item">{inlinesOf(item)}</li>));
      return block.ordered ? <ol start={block.start}>{items}</ol> : <ul>{items}</ul>;
    }
  }
}

function Table({ head, rows }: { head: Inline[][]; rows: Inline[][][] }) {
  const cells = (row: Inline[][], Cell: 'th' | 'td') =>
    placed(row.map((cell) => <Cell key="cell">{inlinesOf(cell)}</Cell>));
  return (
    <div className="table">
      <table>
        <thead>
          <tr>{cells(head, 'th')}</tr>
        </thead>
        <tbody>{placed(rows.map((row) => <tr key="row">{cells(row, 'td')}</tr>))}</tbody>
      </table>
    </div>
  );
}

/** Below the headings of the page, so that its outline stays whole. */
function Heading({ level, children }: { level: number; children: ReactNode }) {
  if (level === 1) return <h3>{children}</h3>;
  if (level === 2) return <h4>{children}</h4>;
  return <h5>{children}</h5>;
}

function inlinesOf(inlines: readonly Inline[]): ReactNode {
  return placed(inlines.map(inlineOf));
}

function inlineOf(inline: Inline): ReactNode {
  switch (inline.kind) {
    case 'text':
      return inline.text;
    case 'code':
      return <code>{inline.text}</code>;
    case 'strong':
      return <strong>{inlinesOf(inline.children)}</strong>;
    case 'emphasis':
      return <em>{inlinesOf(inline.children)}</em>;
    case 'break':
      return <LineBreak />;
    case 'record':
      return (
        <PageLink to={inline.path} fontSize="inherit">
          {inline.id}
        </PageLink>
      );
    case 'link':
      return (
        <Link href={inline.href} external rel="noopener noreferrer nofollow" externalIconAriaLabel="Opens in a new tab">
          {inlinesOf(inline.children)}
        </Link>
      );
  }
}
