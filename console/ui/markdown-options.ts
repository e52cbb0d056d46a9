import rehypeSanitize, { defaultSchema } from 'rehype-sanitize';
import remarkGfm from 'remark-gfm';
import { recordIdFinder, toRecordPath } from './record-path.ts';

// How the console parses Markdown: GitHub's flavor without HTML and images, with links to http and https only, and with
// record ids as links.

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
  node.children = (node.children ?? []).flatMap((child) => {
    if (child.type === 'text') return isLinked ? insertBreaks(child, node, lines) : linkRecords(child, node, lines);
    if (child.tagName === 'pre' || child.tagName === 'code') return [child];
    shapeChildren(child, lines, isLinked || child.tagName === 'a');
    return child.tagName === 'a' && !/^https?:\/\//i.test(String(child.properties?.href))
      ? (child.children ?? [])
      : [child];
  });
}

function linkRecords({ value = '' }: Node, parent: Node, lines: Lines): Node[] {
  const parts: Node[] = [];
  let end = 0;
  for (const { 0: id, index } of value.matchAll(recordIdFinder)) {
    const path = toRecordPath(id);
    if (path === undefined) continue;
    parts.push(...insertBreaks({ type: 'text', value: value.slice(end, index) }, parent, lines));
    const children = [{ type: 'text', value: id }];
    parts.push({ type: 'element', tagName: 'a', properties: { href: path, dataRecord: id }, children });
    end = index + id.length;
  }
  return [...parts, ...insertBreaks({ type: 'text', value: value.slice(end) }, parent, lines)];
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
