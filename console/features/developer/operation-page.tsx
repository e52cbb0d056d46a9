import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import ExpandableSection from '@cloudscape-design/components/expandable-section';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Table, { type TableProps } from '@cloudscape-design/components/table';
import { PageLayout, Panel } from '../../ui/layouts.tsx';
import { Markdown } from '../../ui/markdown.tsx';
import { FactsSkeleton, JsonView } from '../../ui/panels.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import {
  type ApiDocument,
  type Field,
  formatType,
  listFields,
  listOperations,
  type Operation,
} from './api-document.ts';
import { Method, useApiDocument } from './api-reference-page.tsx';
import { TryOperation } from './try-operation.tsx';

export function OperationPage({ operation: id = '' }: { operation?: string }) {
  const { data, problem, reload } = useApiDocument();
  if (problem !== undefined) return <ProblemView problem={problem} onRetry={reload} />;
  if (!data) return <FactsSkeleton facts={8} label="Loading API reference" />;
  const operation = listOperations(data).find(({ operationId }) => operationId === id);
  if (!operation) return <ProblemView problem={new Error(`The API has no operation ${id}.`)} />;
  return <OperationView operation={operation} document={data} />;
}

interface OperationProps {
  operation: Operation;
  document: ApiDocument;
}

function OperationView({ operation, document }: OperationProps) {
  const { method, path, summary, description, parameters, body, responses } = operation;
  return (
    <PageLayout
      title={summary}
      description={<code className="wrapping">{path}</code>}
      info={<Method method={method} />}
    >
      <SpaceBetween size="l">
        <Container>
          <Markdown source={description} lines="joined" />
        </Container>
        <TryOperation operation={operation} />
        {parameters.length > 0 && (
          <Fields
            title="Parameters"
            fields={parameters.map(({ name, in: place, required = false, description: text = '', schema }) => ({
              name,
              type: `${formatType(schema)} (${place})`,
              isRequired: required,
              description: text.replaceAll('`', ''),
            }))}
          />
        )}
        {body && <Fields title="Request body" fields={listFields(body.schema, document)} />}
        <Panel title="Responses">
          {responses.map((response) => (
            <ExpandableSection key={response.status} headerText={`${response.status} ${response.description}`}>
              <SpaceBetween size="m">
                {response.schema && (
                  <Fields title={`Fields of ${response.status}`} fields={listFields(response.schema, document)} />
                )}
                {response.example !== undefined && (
                  <JsonView title={`Example of ${response.status}`} value={response.example} />
                )}
                {!response.schema && <Box color="text-body-secondary">Without a JSON body.</Box>}
              </SpaceBetween>
            </ExpandableSection>
          ))}
        </Panel>
      </SpaceBetween>
    </PageLayout>
  );
}

const columns: readonly TableProps.ColumnDefinition<Field>[] = [
  {
    id: 'name',
    header: 'Name',
    isRowHeader: true,
    minWidth: 160,
    cell: ({ name, isRequired }) => (
      <>
        <code className="wrapping">{name}</code>
        {isRequired && <Box color="text-body-secondary">required</Box>}
      </>
    ),
  },
  { id: 'type', header: 'Type', minWidth: 160, cell: ({ type }) => <code className="wrapping">{type}</code> },
  { id: 'description', header: 'Description', minWidth: 220, cell: ({ description }) => description || '–' },
];

function Fields({ title, fields }: { title: string; fields: readonly Field[] }) {
  if (fields.length === 0) return null;
  return (
    <Table
      header={
        <Header variant="h2" counter={`(${fields.length})`}>
          {title}
        </Header>
      }
      ariaLabels={{ tableLabel: title }}
      items={fields}
      trackBy="name"
      columnDefinitions={columns}
      wrapLines
      variant="container"
    />
  );
}
