import { Box, type Column, Container, Expandable, Header, Stack, Table } from '../../ui/kit/index.ts';
import { PageLayout, Panel } from '../../ui/layouts.tsx';
import { Markdown } from '../../ui/markdown.tsx';
import { JsonView } from '../../ui/panels.tsx';
import { PendingPage, ProblemPage } from '../../ui/problem-page.tsx';
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
  const loaded = useApiDocument();
  const { data } = loaded;
  if (!data) return <PendingPage title={id} thing="API reference" loaded={loaded} />;
  const operation = listOperations(data).find(({ operationId }) => operationId === id);
  if (!operation) return <ProblemPage thing={`operation ${id}`} />;
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
      <Stack>
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
            <Expandable key={response.status} title={`${response.status} ${response.description}`}>
              <Stack gap="m">
                {response.schema && (
                  <Fields title={`Fields of ${response.status}`} fields={listFields(response.schema, document)} />
                )}
                {response.example !== undefined && (
                  <JsonView title={`Example of ${response.status}`} value={response.example} />
                )}
                {!response.schema && <Box muted>Without a JSON body.</Box>}
              </Stack>
            </Expandable>
          ))}
        </Panel>
      </Stack>
    </PageLayout>
  );
}

const columns: readonly Column<Field>[] = [
  {
    id: 'name',
    header: 'Name',
    isRowHeader: true,
    minWidth: 160,
    cell: ({ name, isRequired }) => (
      <>
        <code className="wrapping">{name}</code>
        {isRequired && <Box muted>required</Box>}
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
      header={<Header counter={`(${fields.length})`}>{title}</Header>}
      label={title}
      items={fields}
      trackBy="name"
      columns={columns}
    />
  );
}
