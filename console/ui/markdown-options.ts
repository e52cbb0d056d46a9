import rehypeSanitize, { defaultSchema } from 'rehype-sanitize';
import remarkGfm from 'remark-gfm';
import { splitText } from './plain-text.ts';

// How the console parses Markdown: GitHub's flavor without HTML and images, with links to http and https only, and with
// links to records, and mentions and times as elements.

/** Whether line breaks are kept, as in reports, or joined, as in articles. */
export type Lines = 'kept' | 'joined';

interface Node {
  type: string;
  tagName?: string;
  value?: string;
  properties?: Record<string, unknown>;
  children?: Node[];
}

const schema = {
  ...defaultSchema,
  tagNames: (defaultSchema.tagNames ?? []).filter((name) => name !== 'img'),
  protocols: { href: ['http', 'https'] },
};

export const remarkPlugins = [remarkGfm];

export function rehypePlugins(lines: Lines) {
  const shape = () => (tree: unknown) => shapeChildren(tree as Node, lines, false);
  return [showAsText, [rehypeSanitize, schema], shape] as [
    typeof showAsText,
    [typeof rehypeSanitize, typeof schema],
    typeof shape,
  ];
}

/** Shows HTML and images as their source text instead of dropping them. */
function showAsText() {
  const visit = (node: Node): void => {
    if (node.type === 'raw') node.type = 'text';
    if (node.tagName === 'img') {
      const { alt, src } = node.properties ?? {};
      Object.assign(node, { type: 'text', value: String(alt || src || ''), tagName: undefined });
    }
    node.children?.forEach(visit);
  };
  return (tree: unknown) => visit(tree as Node);
}

function shapeChildren(node: Node, lines: Lines, isLinked: boolean): void {
  node.children = joinTexts(node.children ?? []).flatMap((child) => {
    if (child.type === 'text') return isLinked ? insertBreaks(child, node, lines) : insertParts(child, node, lines);
    if (child.tagName === 'pre' || child.tagName === 'code') return [child];
    shapeChildren(child, lines, isLinked || child.tagName === 'a');
    return [child];
  });
}

/** Links to other addresses than those of the web become text, which may be part of a mention. */
function joinTexts(nodes: readonly Node[]): Node[] {
  const joined: Node[] = [];
  for (const node of nodes.flatMap(unwrapLink)) {
    const last = joined.at(-1);
    if (node.type === 'text' && last?.type === 'text') last.value = `${last.value}${node.value}`;
    else joined.push(node);
  }
  return joined;
}

function unwrapLink(node: Node): Node[] {
  if (node.tagName !== 'a' || /^https?:\/\//i.test(String(node.properties?.href))) return [node];
  return (node.children ?? []).flatMap(unwrapLink);
}

function insertParts({ value = '' }: Node, parent: Node, lines: Lines): Node[] {
  return splitText(value).flatMap(({ part, path, person, time }) => {
    const create = (tagName: string, properties: Record<string, unknown>): Node[] => [
      { type: 'element', tagName, properties, children: [{ type: 'text', value: part }] },
    ];
    if (path !== undefined) return create('a', { href: path, dataRecord: part });
    if (person !== undefined) return create('span', { dataPerson: person });
    if (time !== undefined) return create('time', { dateTime: time });
    return insertBreaks({ type: 'text', value: part }, parent, lines);
  });
}

/** Line breaks between blocks have no meaning. */
function insertBreaks({ value = '' }: Node, { tagName }: Node, lines: Lines): Node[] {
  const isBetweenBlocks = tagName === 'li' && value.trim() === '';
  if (lines === 'joined' || isBetweenBlocks || !lineParents.has(tagName ?? '')) return [{ type: 'text', value }];
  return value.split('\n').flatMap((line, place) => {
    const text = { type: 'text', value: line };
    return place === 0 ? [text] : [{ type: 'element', tagName: 'br', properties: {}, children: [] }, text];
  });
}

const lineParents = new Set(['p', 'li', 'td', 'th', 'strong', 'em', 'del', 'a', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6']);

const maxContainers = 10;
const maxDelimiters = 1_000;

/**
 * Whether parsing would take seconds: its time grows quadratically with nested quotes and lists on one line and with
 * emphasis marks in one paragraph. Such a text is shown as plain text.
 */
export function isCostly(source: string): boolean {
  let delimiters = 0;
  for (const line of source.split('\n')) {
    if (line.trim() === '') delimiters = 0;
    delimiters += line.match(/[*_~]+/g)?.length ?? 0;
    const prefix = /^[\s>*+\-\d.)]*/.exec(line)?.[0] ?? '';
    const containers = prefix.match(/>|[*+-](?=\s)|\d[.)]/g)?.length ?? 0;
    if (delimiters > maxDelimiters || containers > maxContainers) return true;
  }
  return false;
}
