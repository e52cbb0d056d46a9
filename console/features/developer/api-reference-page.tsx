import Badge from '@cloudscape-design/components/badge';
import Box from '@cloudscape-design/components/box';
import SpaceBetween from '@cloudscape-design/components/space-between';
import TextFilter from '@cloudscape-design/components/text-filter';
import { useState } from 'react';
import { type Api, useApi } from '../../base/api.ts';
import { type Loaded, useLoad } from '../../base/use-load.ts';
import { PageLayout, Panel } from '../../ui/layouts.tsx';
import { PageLink } from '../../ui/links.tsx';
import { FactsSkeleton } from '../../ui/panels.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { type ApiDocument, filterOperations, isApiDocument, listOperations, type Operation } from './api-document.ts';

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

export function ApiReferencePage() {
  const { data, problem, reload } = useApiDocument();
  const [words, setWords] = useState('');
  const operations = data ? filterOperations(listOperations(data), words) : [];
  return (
    <PageLayout
      title="API reference"
      description="Every operation of the API, with its fields, examples and a form to try it."
    >
      <SpaceBetween size="l">
        <TextFilter
          filteringText={words}
          filteringAriaLabel="Filter operations"
          filteringPlaceholder="Filter operations"
          countText={`${operations.length} operations`}
          onChange={({ detail }) => setWords(detail.filteringText)}
        />
        {problem !== undefined && <ProblemView problem={problem} onRetry={reload} />}
        {!data && problem === undefined && <FactsSkeleton facts={8} label="Loading API reference" />}
        {data?.tags.map(({ name, description }) => (
          <Tag
            key={name}
            name={name}
            description={description}
            operations={operations.filter(({ tags }) => tags.includes(name))}
          />
        ))}
        {data && operations.length === 0 && <Box color="text-body-secondary">No operation matches.</Box>}
      </SpaceBetween>
    </PageLayout>
  );
}

interface TagProps {
  name: string;
  description: string;
  operations: readonly Operation[];
}

function Tag({ name, description, operations }: TagProps) {
  if (operations.length === 0) return null;
  return (
    <Panel title={formatTag(name)} description={description} counter={`(${operations.length})`}>
      <ul className="operations" aria-label={name}>
        {operations.map(({ operationId, method, path, summary }) => (
          <li key={operationId} className="operation">
            <Method method={method} />
            <PageLink to={`/developer/api/${operationId}`}>{summary}</PageLink>
            <code className="wrapping">{path}</code>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

const acronyms = ['ai', 'cmdb'];

function formatTag(name: string): string {
  if (acronyms.includes(name)) return name.toUpperCase();
  return name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ');
}

const colors = { GET: 'blue', POST: 'green', DELETE: 'red' } as const;

export function Method({ method }: { method: string }) {
  return <Badge color={colors[method as keyof typeof colors] ?? 'grey'}>{method}</Badge>;
}
