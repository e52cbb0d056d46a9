import Link from '@cloudscape-design/components/link';
import TextContent from '@cloudscape-design/components/text-content';
import { Fragment, type ReactNode, useMemo } from 'react';
import { type Block, type Inline, parseMarkdown } from './parse-markdown.ts';

/** Text that somebody wrote in Markdown. */
export function Markdown({ source }: { source: string }) {
  const blocks = useMemo(() => parseMarkdown(source), [source]);
  return (
    <TextContent>
      <div className="markdown wrapping">{blocksOf(blocks)}</div>
    </TextContent>
  );
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
    case 'rule':
      return <hr />;
    case 'list': {
      const items = placed(block.items.map((item) => <li key="item">{inlinesOf(item)}</li>));
      return block.ordered ? <ol start={block.start}>{items}</ol> : <ul>{items}</ul>;
    }
  }
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
      return <br />;
    case 'link':
      return (
        <Link href={inline.href} external rel="noopener noreferrer nofollow" externalIconAriaLabel="Opens in a new tab">
          {inlinesOf(inline.children)}
        </Link>
      );
  }
}
