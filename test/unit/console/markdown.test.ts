import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import ReactMarkdown from 'react-markdown';
import { isCostly, type Lines, rehypePlugins, remarkPlugins } from '../../../console/ui/markdown-options.ts';
import { isPlainText, splitText } from '../../../console/ui/plain-text.ts';
import fc from '../../support/properties.ts';

function render(source: string, lines: Lines = 'kept'): string {
  const options = { remarkPlugins, rehypePlugins: rehypePlugins(lines), children: source };
  return renderToStaticMarkup(createElement(ReactMarkdown, options)).replaceAll('\n', '');
}

const linksIn = (html: string) => [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href!);

describe('Markdown in the console', () => {
  it('shows headings, lists, quotes, code, rules and emphasis', () => {
    const source =
      '## Seen\n\n- one\n- two\n\n3. three\n\n> said\n\n```\n# not a heading\n```\n\n---\n\n**b *c*** `d*`';
    expect(render(source)).toBe(
      '<h2>Seen</h2><ul><li>one</li><li>two</li></ul><ol start="3"><li>three</li></ol><blockquote><p>said</p></blockquote>' +
        '<pre><code># not a heading</code></pre><hr/><p><strong>b <em>c</em></strong> <code>d*</code></p>',
    );
  });

  it('shows tables', () => {
    expect(render('| Code | Means |\n|---|---|\n| `1` | a \\| b |')).toContain('<td><code>1</code></td><td>a | b</td>');
  });

  it('keeps the lines of reports and joins those of articles', () => {
    expect(render('First\nsecond *a\nb*')).toBe('<p>First<br/>second <em>a<br/>b</em></p>');
    expect(render('- one\n  goes on\n\n- two')).toBe('<ul><li><p>one<br/>goes on</p></li><li><p>two</p></li></ul>');
    expect(render('First\nsecond', 'joined')).not.toContain('<br/>');
  });

  it('links records by their ids, but not inside of links and code', () => {
    expect(linksIn(render('See INC8HVCZSM, **CI0000042** and CIABCDEFG.'))).toEqual([
      '/incidents/INC8HVCZSM',
      '/cis/CI0000042',
    ]);
    expect(linksIn(render('[CHG4M8K2TX](https://a.example) `KB4M8K2TX`'))).toEqual(['https://a.example']);
  });

  it('links bare addresses without the full stop behind them', () => {
    expect(linksIn(render('See https://a.example/b.'))).toEqual(['https://a.example/b']);
  });

  it('shows HTML and images as text and leaves underscores alone', () => {
    expect(render('db_primary_2 <script>alert(1)</script>')).toBe(
      '<p>db_primary_2 &lt;script&gt;alert(1)&lt;/script&gt;</p>',
    );
    expect(render('<img src=x onerror=alert(1)>')).toBe('&lt;img src=x onerror=alert(1)&gt;');
    expect(render('![a chart](https://tracker.example/1.png)')).toBe('<p>a chart</p>');
  });

  it.each(['javascript:alert(1)', 'data:text/html,x', 'vbscript:x', '//evil.example', 'JaVaScRiPt:alert(1)', '/api/x'])(
    'does not link to %s',
    (address) => expect(linksIn(render(`[x](${address}) <${address}> ${address}`))).toEqual([]),
  );

  it('links only to http and https', () => {
    const pieces = [
      '[',
      ']',
      '(',
      ')',
      '<',
      '>',
      'http',
      's://',
      'javascript:',
      'a@b.c',
      '*',
      '_',
      '`',
      '\n',
      'a',
      ' ',
      '- ',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 60 }), (parts) => {
        expect(linksIn(render(parts.join(''))).filter((href) => !/^https?:\/\//i.test(href))).toEqual([]);
      }),
    );
  });

  it('shows a heading with a long gap quickly', () => {
    const start = performance.now();
    expect(render(`# a${' '.repeat(2_000)}b`)).toMatch(/^<h1>a +b<\/h1>$/);
    expect(performance.now() - start).toBeLessThan(1_000);
  });

  it.each(['> ', '- > ', '1. ', '*a_', '~a'])(
    'shows a text full of %j as plain text, because parsing it would take too long',
    (part) => expect(isCostly(part.repeat(32_000 / part.length))).toBe(true),
  );

  it.each([
    'a\n',
    '# a\n\n',
    '- x\n',
    '> a\n',
    '1. a\n',
    '---\n',
    'db_primary_2\n\n',
    '| a | b |\n',
    '2026-03-01 10:00\n',
  ])('parses a long text of %j', (part) => expect(isCostly(part.repeat(32_000 / part.length))).toBe(false));
});

describe('a text without markup', () => {
  const characters = [...'aZ9 \n.,;:!?()/%=+-*_`#[]<>|~&@', 'www.', 'https://', '1. ', 'INC0000042 '];
  const texts = fc.array(fc.constantFrom(...characters), { maxLength: 12 }).map((parts) => parts.join(''));

  it('needs no parser: Markdown would show only paragraphs, line breaks and links to records', () => {
    fc.assert(
      fc.property(texts, (text) => {
        fc.pre(isPlainText(text));
        expect(
          render(text).replaceAll(/<a href="\/incidents\/INC0000042" data-record="INC0000042">/g, '<a>'),
        ).not.toMatch(/<(?!\/?(?:p|br\/|a)>)/);
      }),
      // A row of dashes below a line makes a table, also without bars.
      { numRuns: 2_000, examples: [['a\n:-'], ['a\n-']] },
    );
  });

  it('finds mentions and exact times', () => {
    const text = 'Ask @ada.lovelace@example.com, done 2026-03-01T10:12:45.318Z; not a@b.example';
    const found = splitText(text).filter(({ person, time }) => person ?? time);
    expect(found.map(({ part: _, at: __, ...rest }) => rest)).toEqual([
      { person: 'ada.lovelace@example.com' },
      { time: '2026-03-01T10:12:45.318Z' },
    ]);
    expect(render(`**Ask** @ada.lovelace@example.com`)).toContain('data-person="ada.lovelace@example.com"');
  });

  it('links the ids of records and keeps everything else', () => {
    expect(splitText('See INC0000042, please')).toEqual([
      { part: 'See ', at: 0 },
      { part: 'INC0000042', path: '/incidents/INC0000042', at: 4 },
      { part: ', please', at: 14 },
    ]);
  });
});
