import type { openApiDocument } from './openapi-document.ts';

// Writes the OpenAPI document as TypeScript: one type per named schema and `Api`, the types of every operation. The package
// of the SDK contains them, so that its users need neither zod nor the contract.

type Document = ReturnType<typeof openApiDocument>;

export interface Schema {
  $ref?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  type?: string | string[];
  items?: Schema;
  prefixItems?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  propertyNames?: Schema;
  description?: string;
}

export interface Parameter {
  in: string;
  name: string;
  required?: boolean;
  schema: Schema;
}

export interface OperationObject {
  operationId: string;
  summary: string;
  description: string;
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

export function formatSchemas(document: Document): string {
  const schemas = Object.entries((document.components?.schemas ?? {}) as Record<string, Schema>);
  return schemas
    .map(([name, schema]) => `${formatComment(schema.description)}export type ${name} = ${formatType(schema, 0)};`)
    .join('\n\n');
}

/** The payload of each event, by its type. */
export function formatPayloads(document: Document): string {
  const items = document.components?.pathItems as Record<string, { post: OperationObject }>;
  const lines = Object.entries(document.webhooks ?? {}).map(([event, { $ref = '' }]) => {
    const item = items[$ref.replace(/^.*\//, '')];
    return `  '${event}': ${formatType(findFirstSchema(item?.post.requestBody?.content) ?? {}, 2)};`;
  });
  return `export interface WebhookPayloads {\n${lines.join('\n')}\n}`;
}

export function formatApi(document: Document): string {
  const operations = Object.values(document.paths ?? {}).flatMap((item) =>
    Object.entries(item as Record<string, OperationObject>).map(([method, operation]) =>
      formatOperation(method.toUpperCase(), operation),
    ),
  );
  return `export interface Api {\n${operations.join('\n')}\n}`;
}

function formatOperation(method: string, operation: OperationObject): string {
  const { operationId, description, parameters = [], requestBody, responses } = operation;
  const filterByPlace = (place: string) => parameters.filter((parameter) => parameter.in === place);
  const facts = [
    `method: '${method}'`,
    ...formatGroup('params', filterByPlace('path'), ({ name }) => name),
    ...formatGroup('query', filterByPlace('query'), ({ name }) => name),
    ...formatGroup('options', filterByPlace('header'), ({ name }) => toOptionName(name)),
    ...(requestBody ? [formatBody(requestBody)] : []),
    `output: ${formatOutput(responses)}`,
    ...('304' in responses ? ['notModified: true'] : []),
  ];
  const text = facts.map((fact) => `    ${fact};\n`).join('');
  return `${formatComment(description.split('\n')[0], 2)}  ${operationId}: {\n${text}  };`;
}

function formatGroup(group: string, parameters: readonly Parameter[], toName: (one: Parameter) => string): string[] {
  if (parameters.length === 0) return [];
  const lines = parameters.map((parameter) => {
    const { schema, required } = parameter;
    const type = group === 'query' ? formatQueryType(schema) : formatType(schema, 6);
    return `${formatComment(schema.description, 6)}      ${toName(parameter)}${required ? '' : '?'}: ${type}${
      required ? '' : ' | undefined'
    };\n`;
  });
  return [`${group}: {\n${lines.join('')}    }`];
}

/** A list may also be given as one value. */
function formatQueryType(schema: Schema): string {
  if (schema.type !== 'array' || !schema.items) return formatType(schema, 6);
  const item = formatType(schema.items, 6);
  return `${item} | readonly (${item})[]`;
}

function formatBody({ required, content }: NonNullable<OperationObject['requestBody']>): string {
  const type = formatType(findFirstSchema(content) ?? {}, 4);
  return required ? `body: ${type}` : `body: ${type} | undefined`;
}

function formatOutput(responses: OperationObject['responses']): string {
  const types = Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([, { content }]) => (content ? formatType(findFirstSchema(content) ?? {}, 4) : 'undefined'));
  return [...new Set(types)].join(' | ');
}

function findFirstSchema(content: Record<string, { schema: Schema }> | undefined): Schema | undefined {
  return Object.values(content ?? {})[0]?.schema;
}

function formatType(schema: Schema, indent: number): string {
  if (schema.$ref) return schema.$ref.replace(/^.*\//, '');
  if ('const' in schema) return formatLiteral(schema.const);
  if (schema.enum) return schema.enum.map(formatLiteral).join(' | ');
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return [...new Set(options.map((option) => formatType(option, indent)))].join(' | ');
  if (schema.allOf) return schema.allOf.map((part) => formatType(part, indent)).join(' & ');
  if (schema.prefixItems) return `[${schema.prefixItems.map((item) => formatType(item, indent)).join(', ')}]`;
  if (Array.isArray(schema.type)) {
    return schema.type.map((type) => formatType({ ...schema, type }, indent)).join(' | ');
  }
  switch (schema.type) {
    case 'array': {
      const item = formatType(schema.items ?? {}, indent);
      return /[|&]/.test(item) && !item.startsWith('{') ? `(${item})[]` : `${item}[]`;
    }
    case 'object':
      return formatObject(schema, indent);
    case 'integer':
    case 'number':
      return 'number';
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    default:
      return 'unknown';
  }
}

function formatObject({ properties, required = [], additionalProperties }: Schema, indent: number): string {
  const rest = typeof additionalProperties === 'object' ? formatType(additionalProperties, indent + 2) : 'unknown';
  if (!properties) return `Record<string, ${rest}>`;
  const space = ' '.repeat(indent + 2);
  const lines = Object.entries(properties).map(([name, schema]) => {
    const isRequired = required.includes(name);
    const type = formatType(schema, indent + 2);
    const mark = isRequired ? '' : '?';
    return `${formatComment(findDescription(schema), indent + 2)}${space}${name}${mark}: ${type}${isRequired ? '' : ' | undefined'};\n`;
  });
  const isOpen = typeof additionalProperties === 'object' && Object.keys(properties).length > 0;
  const index = isOpen ? `${space}[field: string]: unknown;\n` : '';
  return `{\n${lines.join('')}${index}${' '.repeat(indent)}}`;
}

/** A nullable field carries its description in its first form. */
function findDescription({ description, anyOf }: Schema): string | undefined {
  return description ?? anyOf?.find((option) => option.description)?.description;
}

function formatLiteral(value: unknown): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : JSON.stringify(value);
}

function formatComment(text: string | undefined, indent = 0): string {
  return text ? `${' '.repeat(indent)}/** ${text.replaceAll('*/', '* /')} */\n` : '';
}

/** `If-Match` is the option `ifMatch`. */
function toOptionName(header: string): string {
  return header.toLowerCase().replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
