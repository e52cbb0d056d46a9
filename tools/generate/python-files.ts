import { apiPrefixes, stageName } from '../../contract/http.ts';
import type { OperationObject, Parameter, Schema } from './client-types.ts';
import { openApiDocument } from './openapi-document.ts';

// Writes the OpenAPI document as Python: types.py has one type per schema, operations.py one method per operation. A nested
// object is a type of its own, because a TypedDict cannot contain another.

/** The generated files of the Python SDK, by name. */
export function buildPythonFiles(): Record<string, string> {
  const document = openApiDocument();
  const schemas = (document.components?.schemas ?? {}) as Record<string, Schema>;
  const types = new PythonTypes(schemas);
  const operations = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    Object.entries(item as Record<string, OperationObject>).map(([method, operation]) =>
      formatMethod(path, method.toUpperCase(), operation, types),
    ),
  );
  for (const [name, schema] of Object.entries(schemas)) types.define(name, schema);
  const events = Object.keys(schemas).filter((name) => name.endsWith('Payload'));
  const code = operations.join('\n\n');
  return {
    'types.py': `"""The types of requests and responses."""

${generated}
import sys
from typing import TYPE_CHECKING, ${listUsed(`${types.text} Union`, typingNames).join(', ')}

if sys.version_info >= (3, 11):
    from typing import NotRequired
elif TYPE_CHECKING:
    from typing_extensions import NotRequired


${types.text}


#: The body of a webhook delivery. \`event\` determines the type of \`data\`.
WebhookEvent = Union[
${events.map((name) => `    "${name}",\n`).join('')}]
`,
    'operations.py': `"""One method for each operation of the API."""

# mypy: disable-error-code="no-any-return"
${generated}
from typing import ${listUsed(code, typingNames).join(', ')}

from .core import CallOptions, Page, ServiceCore, segment
from .types import (
${listUsed(code, types.names)
  .map((name) => `    ${name},\n`)
  .join('')})


class Client(ServiceCore):
    api_root = "/${stageName}${apiPrefixes[0]}"

${code}
`,
  };
}

const typingNames = ['Any', 'Dict', 'List', 'Literal', 'Optional', 'Sequence', 'TypedDict', 'Union'];

const generated = `# Generated from the contract by tools/generate/client.ts.

from __future__ import annotations
`;

function listUsed(code: string, names: readonly string[]): string[] {
  const words = new Set(code.match(/\w+/g));
  return names.filter((name) => words.has(name)).sort();
}

class PythonTypes {
  readonly names: string[] = [];
  private readonly schemas: Readonly<Record<string, Schema>>;
  private readonly definitions: string[] = [];

  constructor(schemas: Readonly<Record<string, Schema>>) {
    this.schemas = schemas;
  }

  resolve({ $ref, ...schema }: Schema): Schema {
    return $ref ? (this.schemas[$ref.replace(/^.*\//, '')] ?? schema) : schema;
  }

  get text(): string {
    return this.definitions.join('\n\n\n');
  }

  define(name: string, schema: Schema): void {
    const comment = toFirstSentence(schema.description);
    const definition = schema.properties
      ? this.formatObject(name, schema, comment)
      : `${comment ? `#: ${comment}\n` : ''}${name} = ${this.format(schema, name)}`;
    if (this.names.includes(name)) throw new Error(`Two Python types have the name ${name}.`);
    this.names.push(name);
    this.definitions.push(definition);
  }

  /** `name` is that of a nested object. */
  format(schema: Schema, name: string): string {
    if (schema.$ref) return schema.$ref.replace(/^.*\//, '');
    if ('const' in schema) return `Literal[${formatLiteral(schema.const)}]`;
    if (schema.enum) return `Literal[${schema.enum.map(formatLiteral).join(', ')}]`;
    const options = schema.anyOf ?? schema.oneOf;
    if (options) return formatUnion(options.map((option) => this.format(option, name)));
    if (Array.isArray(schema.type)) {
      return formatUnion(schema.type.map((type) => this.format({ ...schema, type }, name)));
    }
    if (schema.properties) {
      this.define(name, schema);
      return name;
    }
    const { additionalProperties: values } = schema;
    switch (schema.type) {
      case 'array':
        return `List[${this.format(schema.items ?? {}, `${name}Item`)}]`;
      case 'object':
        return `Dict[str, ${typeof values === 'object' ? this.format(values, `${name}Value`) : 'Any'}]`;
      default:
        return scalars[schema.type ?? ''] ?? 'Any';
    }
  }

  private formatObject(name: string, { properties = {}, required = [] }: Schema, comment = ''): string {
    const fields = Object.entries(properties).map(([field, schema]): [string, string] => {
      const type = this.format(schema, `${name}${toPascalCase(field)}`);
      return [field, required.includes(field) ? type : `NotRequired[${type}]`];
    });
    // The class form has no field that is a keyword of Python.
    if (fields.some(([field]) => keywords.has(field))) {
      const lines = fields.map(([field, type]) => `        "${field}": "${type.replaceAll('"', "'")}",\n`);
      return `${comment ? `#: ${comment}\n` : ''}${name} = TypedDict(\n    "${name}",\n    {\n${lines.join('')}    },\n)`;
    }
    const lines = fields.map(([field, type]) => `    ${field}: ${type}\n`);
    return `class ${name}(TypedDict):\n${comment ? formatDocstring(comment, 4) : ''}${lines.join('')}`.trimEnd();
  }
}

const scalars: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
};

const keywords: ReadonlySet<string> = new Set(['class', 'from', 'global', 'import', 'in', 'is', 'not', 'pass', 'with']);

function formatMethod(path: string, method: string, operation: OperationObject, types: PythonTypes): string {
  const { operationId, description, parameters = [], requestBody, responses } = operation;
  const filterByPlace = (place: string) => parameters.filter((parameter) => parameter.in === place);
  const [params, query, headers] = [filterByPlace('path'), filterByPlace('query'), filterByPlace('header')];
  const pascal = toPascalCase(operationId);
  const output = formatOutput(responses, types, `${pascal}Response`);
  const item = output.startsWith('Page[');
  const pageless = item ? query.filter(({ name }) => name !== 'page') : query;
  const named = [...pageless, ...headers].sort((a, b) => Number(b.required ?? false) - Number(a.required ?? false));
  const args = [
    'self',
    ...params.map(({ name }) => `${toName(name)}: str`),
    ...(requestBody ? [formatBody(requestBody, types, `${pascal}Request`)] : []),
    '*',
    ...named.map((parameter) => formatArgument(parameter, types, pascal)),
    'options: Optional[CallOptions] = None',
  ];
  const toDict = (list: readonly Parameter[]) => `{${list.map(({ name }) => `"${name}": ${toName(name)}`).join(', ')}}`;
  const address = path.replace(/\{(\w+)\}/g, (_, name: string) => `{segment(${toName(name)})}`);
  const url = `${params.length > 0 ? 'f' : ''}"${address}"`;
  const call = [
    ...(query.length > 0 ? [`query=${toDict(query)}`] : []),
    ...(headers.length > 0 ? [`headers=${toDict(headers)}`] : []),
    ...(requestBody ? ['body=body'] : []),
    'options=options',
  ];
  const result = item
    ? `self._page(${url}, ${toDict(pageless)}, options)`
    : `self._call("${method}", ${[url, ...call].join(', ')})`;
  const head = `    def ${toSnakeCase(operationId)}(\n${args.map((arg) => `        ${arg},\n`).join('')}    ) -> ${output}:\n`;
  return `${head}${formatDocstring(toFirstSentence(description), 8)}        ${output === 'None' ? '' : 'return '}${result}`;
}

function formatArgument(parameter: Parameter, types: PythonTypes, prefix: string): string {
  const { name, schema, required } = parameter;
  const type =
    schema.type === 'array'
      ? `Sequence[${types.format(schema.items ?? {}, prefix)}]`
      : types.format(schema, `${prefix}${toPascalCase(name)}`);
  return required ? `${toName(name)}: ${type}` : `${toName(name)}: Optional[${type}] = None`;
}

function formatBody(
  { required, content }: NonNullable<OperationObject['requestBody']>,
  types: PythonTypes,
  name: string,
) {
  const type = types.format(Object.values(content)[0]?.schema ?? {}, name);
  return required ? `body: ${type}` : `body: Optional[${type}] = None`;
}

/** A list is a page of its items. */
function formatOutput(responses: OperationObject['responses'], types: PythonTypes, name: string): string {
  const [, response] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
  const schema = Object.values(response?.content ?? {})[0]?.schema;
  if (!schema) return 'None';
  const { data, next_cursor, next_after } = types.resolve(schema).properties ?? {};
  if (data && (next_cursor || next_after)) return `Page[${types.format(data.items ?? {}, name)}]`;
  return types.format(schema, name);
}

function formatUnion(types: readonly string[]): string {
  const some = [...new Set(types)].filter((type) => type !== 'None');
  const union = some.length === 1 ? some.join() : `Union[${some.join(', ')}]`;
  return types.includes('None') ? `Optional[${union}]` : union;
}

/** The API document has the whole text. */
const toFirstSentence = (text = '') => text.split(/(?<=\.)\s/)[0] ?? '';

const formatLiteral = (value: unknown) => (value === null ? 'None' : JSON.stringify(value));

function formatDocstring(text: string, indent: number): string {
  return `${' '.repeat(indent)}"""${text.replaceAll('\\', '\\\\')}"""\n`;
}

/** A name that Python reserves gets an underscore. */
function toName(name: string): string {
  const snake = name.toLowerCase().replaceAll('-', '_');
  return keywords.has(snake) ? `${snake}_` : snake;
}

const toSnakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const toPascalCase = (name: string) => name.replace(/(?:^|[_-])(\w)/g, (_, letter: string) => letter.toUpperCase());
