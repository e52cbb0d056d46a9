import { readFileSync } from 'node:fs';
import { createElement, type ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import Markdown from 'react-markdown';
import remarkGfm from 'remark-gfm';

/** The content of errors.html: docs/errors.md with an anchor per code. It needs no script. */
export function renderErrorCodes(): string {
  const h2 = ({ children }: { children?: ReactNode }) => createElement('h2', { id: String(children) }, children);
  const text = readFileSync(new URL('../docs/errors.md', import.meta.url), 'utf8');
  return renderToStaticMarkup(createElement(Markdown, { remarkPlugins: [remarkGfm], components: { h2 } }, text));
}
