import './operations.css';
import { useState } from 'react';
import { operationTable } from '../../../client/operation-table.ts';
import { type Api, useApi } from '../../base/api.ts';
import { type Loaded, useLoad } from '../../base/use-load.ts';
import { Badge, Box, Input, Stack } from '../../ui/kit/index.ts';
import { PageLayout, Panel } from '../../ui/layouts.tsx';
import { PageLink } from '../../ui/links.tsx';
import { type ApiDocument, isApiDocument } from './api-document.ts';

let cached: ApiDocument | undefined;

/** The document is large and does not change while the console is open, so it is loaded once. */
export function useApiDocument(): Loaded<ApiDocument> {
  const { client } = useApi();
  return useLoad(['api document'], (signal) => loadDocument(client, signal));
}

async function loadDocument(client: Api['client'], signal: AbortSignal): Promise<ApiDocument> {
  if (cached) return cached;
  const loaded = await client.getApiDocument({}, { signal });
  if (!isApiDocument(loaded)) throw new Error('The service returned another document.');
  cached = loaded;
  return loaded;
}

interface ListedOperation {
  name: string;
  method: string;
  path: string;
  /** The part of the API that it belongs to. */
  section: string;
}

/** The client knows all operations, so the list needs no document, whose size is that of ten pages. */
const listed: readonly ListedOperation[] = Object.entries(operationTable).map(([name, { method, path }]) => {
  return { name, method, path, section: path.split('/')[1] ?? '' };
});

export function ApiReferencePage() {
  const [words, setWords] = useState('');
  const wanted = words.toLowerCase().split(/\s+/);
  const operations = listed.filter(({ name, method, path }) => {
    const text = `${name} ${formatName(name)} ${method} ${path}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
  return (
    <PageLayout
      title="API reference"
      description="Every operation of the API, with its fields, examples and a form to try it."
    >
      <Stack>
        <Input
          type="search"
          value={words}
          ariaLabel="Filter operations"
          placeholder={`Filter ${listed.length} operations`}
          onChange={setWords}
        />
        {[...new Set(operations.map(({ section }) => section))].map((section) => (
          <Section key={section} name={section} operations={operations.filter((one) => one.section === section)} />
        ))}
        {operations.length === 0 && <Box muted>No operation matches.</Box>}
      </Stack>
    </PageLayout>
  );
}

function Section({ name, operations }: { name: string; operations: readonly ListedOperation[] }) {
  return (
    <Panel title={`/${name}`} counter={`(${operations.length})`}>
      <ul className="operations" aria-label={name}>
        {operations.map(({ name, method, path }) => (
          <li key={name} className="operation">
            <Method method={method} />
            <PageLink to={`/developer/api/${name}`}>{formatName(name)}</PageLink>
            <code className="wrapping">{path}</code>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** `createApiKey` becomes "Create API key". */
function formatName(name: string): string {
  const words = name
    .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replace(/\b(?:ai|api|ci|cis|mcp|sla)\b/g, (word) => word.toUpperCase().replace(/S$/, 's'));
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const colors = { GET: 'blue', POST: 'green', DELETE: 'red' } as const;

export function Method({ method }: { method: string }) {
  return <Badge tone={colors[method as keyof typeof colors] ?? 'grey'}>{method}</Badge>;
}
