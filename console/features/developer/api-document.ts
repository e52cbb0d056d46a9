// Reads the OpenAPI document of the service for the API reference.

export interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  description?: string;
  enum?: readonly unknown[];
  const?: unknown;
  items?: Schema;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  examples?: readonly unknown[];
}

export interface Parameter {
  in: 'path' | 'query' | 'header';
  name: string;
  required?: boolean;
  description?: string;
  schema: Schema;
}

interface Content {
  'application/json'?: { schema?: Schema; example?: unknown };
}

interface DescribedOperation {
  operationId: string;
  tags: readonly string[];
  summary: string;
  description: string;
  parameters?: readonly Parameter[];
  requestBody?: { content: Content };
  responses: Readonly<Record<string, { $ref?: string; description?: string; content?: Content }>>;
}

export interface ApiDocument {
  tags: readonly { name: string; description: string }[];
  paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  components: { schemas: Readonly<Record<string, Schema>>; responses: DescribedOperation['responses'] };
}

export function isApiDocument(value: object): value is ApiDocument {
  return 'tags' in value && 'paths' in value && 'components' in value;
}

export interface Operation extends Omit<DescribedOperation, 'parameters' | 'responses'> {
  method: string;
  path: string;
  parameters: readonly Parameter[];
  body: { schema: Schema; example: unknown } | undefined;
  responses: readonly { status: string; description: string; schema: Schema | undefined; example: unknown }[];
}

export function listOperations(document: ApiDocument): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const request = operation.requestBody?.content['application/json'];
      return {
        ...operation,
        method: method.toUpperCase(),
        path,
        parameters: operation.parameters ?? [],
        body: request && { schema: request.schema ?? {}, example: request.example },
        responses: Object.entries(operation.responses).map(([status, given]) => {
          const name = given.$ref?.split('/').at(-1) ?? '';
          const { description = '', content } = document.components.responses[name] ?? given;
          const json = content?.['application/json'];
          return { status, description: toPlainText(description), schema: json?.schema, example: json?.example };
        }),
      };
    }),
  );
}

/** The type in the words of TypeScript, such as `string | null`. */
export function formatType(schema: Schema): string {
  if (schema.$ref) return schema.$ref.split('/').at(-1) ?? '';
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return [...new Set(choices.map(formatType))].join(' | ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.items) {
    const item = formatType(schema.items);
    return item.includes(' | ') ? `(${item})[]` : `${item}[]`;
  }
  return [schema.type ?? 'any'].flat().join(' | ');
}

export interface Field {
  name: string;
  type: string;
  isRequired: boolean;
  description: string;
}

const maxDepth = 3;

/** The fields of an object and of the objects in it: `data[].id`. */
export function listFields(schema: Schema, document: ApiDocument, prefix = '', depth = 0): Field[] {
  const { properties = {}, required = [] } = resolve(schema, document);
  return Object.entries(properties).flatMap(([key, property]) => {
    const name = `${prefix}${key}`;
    const resolved = resolve(property, document);
    const field = {
      name,
      type: formatType(property.$ref && resolved.enum ? resolved : property),
      isRequired: required.includes(key),
      description: toPlainText(property.description ?? resolved.description ?? ''),
    };
    if (depth + 1 >= maxDepth) return [field];
    const nested = resolved.items
      ? listFields(resolved.items, document, `${name}[].`, depth + 1)
      : listFields(resolved, document, `${name}.`, depth + 1);
    return [field, ...nested];
  });
}

/** Follows references, and takes the object of `object | null`. */
function resolve(schema: Schema, { components }: ApiDocument): Schema {
  const name = schema.$ref?.split('/').at(-1) ?? '';
  const target = components.schemas[name] ?? schema;
  const choices = target.anyOf ?? target.oneOf;
  if (!choices) return target;
  const chosen = choices.find(({ type }) => type !== 'null') ?? {};
  return { ...(components.schemas[chosen.$ref?.split('/').at(-1) ?? ''] ?? chosen), ...pickDescription(target) };
}

function pickDescription({ description }: Schema): Schema {
  return description === undefined ? {} : { description };
}

/** Without the backticks of Markdown, for headings and cells. */
function toPlainText(text: string): string {
  return text.replaceAll('`', '');
}
