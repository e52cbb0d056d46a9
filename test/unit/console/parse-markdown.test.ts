import fc from 'fast-check';
import { type Block, type Inline, parseInline, parseMarkdown } from '../../../console/markdown/parse-markdown.ts';

const text = (value: string): Inline => ({ kind: 'text', text: value });

describe('parseMarkdown', () => {
  it('reads headings, paragraphs, lists, quotes, code and rules', () => {
    const source =
      '## Seen\n\nFirst\nsecond\n\n- one\n- two\n  goes on\n\n3. three\n\n> said\n\n```\n# not a heading\n```\n\n---';
    expect(parseMarkdown(source)).toEqual<Block[]>([
      { kind: 'heading', level: 2, children: [text('Seen')] },
      { kind: 'paragraph', children: [text('First'), { kind: 'break' }, text('second')] },
      {
        kind: 'list',
        ordered: false,
        start: 1,
        items: [[text('one')], [text('two'), { kind: 'break' }, text('goes on')]],
      },
      { kind: 'list', ordered: true, start: 3, items: [[text('three')]] },
      { kind: 'quote', children: [{ kind: 'paragraph', children: [text('said')] }] },
      { kind: 'code', text: '# not a heading' },
      { kind: 'rule' },
    ]);
  });

  it('reads tables, with the cells that their heads name', () => {
    const source = 'Codes:\n| Code | Means |\n|---|:-:|\n| `1` | a \\| b | too many |\n| 2 |\nafter';
    expect(parseMarkdown(source)).toEqual<Block[]>([
      { kind: 'paragraph', children: [text('Codes:')] },
      {
        kind: 'table',
        head: [[text('Code')], [text('Means')]],
        rows: [
          [[{ kind: 'code', text: '1' }], [text('a | b')]],
          [[text('2')], []],
        ],
      },
      { kind: 'paragraph', children: [text('after')] },
    ]);
    expect(parseMarkdown('| no | table |')).toEqual([{ kind: 'paragraph', children: [text('| no | table |')] }]);
  });

  it('takes a fence that is never closed to the end', () => {
    expect(parseMarkdown('```\nSELECT 1;')).toEqual([{ kind: 'code', text: 'SELECT 1;' }]);
  });

  it('reads bold, italic, code and links inside a line', () => {
    expect(parseInline('a **b *c*** `d*` _e_ [f](https://g.example/h)')).toEqual<Inline[]>([
      text('a '),
      { kind: 'strong', children: [text('b '), { kind: 'emphasis', children: [text('c')] }] },
      text(' '),
      { kind: 'code', text: 'd*' },
      text(' '),
      { kind: 'emphasis', children: [text('e')] },
      text(' '),
      { kind: 'link', href: 'https://g.example/h', children: [text('f')] },
    ]);
  });

  it('reads bold and italic across the end of a line', () => {
    expect(parseInline('*a\nb* **c\nd**')).toEqual<Inline[]>([
      { kind: 'emphasis', children: [text('a'), { kind: 'break' }, text('b')] },
      text(' '),
      { kind: 'strong', children: [text('c'), { kind: 'break' }, text('d')] },
    ]);
  });

  it('knows records by their ids, but not inside of links and code', () => {
    expect(parseInline('See INC8HVCZSM, CI0000042 and CIABCDEFG.')).toEqual<Inline[]>([
      text('See '),
      { kind: 'record', id: 'INC8HVCZSM', path: '/incidents/INC8HVCZSM' },
      text(', '),
      { kind: 'record', id: 'CI0000042', path: '/cis/CI0000042' },
      text(' and '),
      text('CIABCDEFG'),
      text('.'),
    ]);
    expect(parseInline('[CHG4M8K2TX](https://a.example) `KB4M8K2TX`')).toEqual<Inline[]>([
      { kind: 'link', href: 'https://a.example', children: [text('CHG4M8K2TX')] },
      text(' '),
      { kind: 'code', text: 'KB4M8K2TX' },
    ]);
  });

  it('links bare addresses without the full stop behind them', () => {
    expect(parseInline('See https://a.example/b.')).toEqual<Inline[]>([
      text('See '),
      { kind: 'link', href: 'https://a.example/b', children: [text('https://a.example/b')] },
      text('.'),
    ]);
  });

  it('leaves names with underscores and HTML as they are', () => {
    expect(parseInline('db_primary_2 <script>alert(1)</script>')).toEqual([
      text('db_primary_2 <script>alert(1)</script>'),
    ]);
  });

  it.each(['javascript:alert(1)', 'data:text/html,x', 'vbscript:x', '//evil.example', 'JaVaScRiPt:alert(1)'])(
    'does not link to %s',
    (address) => {
      expect(linksIn(parseMarkdown(`[x](${address}) ${address}`))).toEqual([]);
    },
  );

  it('links to nothing but http and https, whatever the text', () => {
    const pieces = fc.constantFrom(
      '[',
      ']',
      '(',
      ')',
      'http',
      's://',
      'javascript:',
      '*',
      '**',
      '_',
      '`',
      '>',
      '\n',
      'a',
      ' ',
      '- ',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 60 }), (parts) => {
        expect(linksIn(parseMarkdown(parts.join(''))).filter((href) => !/^https?:\/\//.test(href))).toEqual([]);
      }),
    );
  });

  it('reads the longest texts at once', () => {
    const startedAt = performance.now();
    for (const part of ['a\n', '**a ', '[', '> ', '- x\n', '`', '*a_', 'https://', '|-|\n', '|-', '| '])
      parseMarkdown(part.repeat(32_000 / part.length));
    expect(performance.now() - startedAt).toBeLessThan(5000);
  });
});

function linksIn(blocks: readonly Block[]): string[] {
  return blocks.flatMap((block) => {
    if (block.kind === 'quote') return linksIn(block.children);
    if (block.kind === 'table') return [block.head, ...block.rows].flat().flatMap(linksInLine);
    if (block.kind === 'list') return block.items.flatMap(linksInLine);
    return block.kind === 'heading' || block.kind === 'paragraph' ? linksInLine(block.children) : [];
  });
}

function linksInLine(inlines: readonly Inline[]): string[] {
  return inlines.flatMap((inline) => {
    if (inline.kind === 'link') return [inline.href, ...linksInLine(inline.children)];
    return inline.kind === 'strong' || inline.kind === 'emphasis' ? linksInLine(inline.children) : [];
  });
}
