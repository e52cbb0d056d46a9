// Message attributes: their checks, their size, their digest as SQS computes it, and the shape Lambda gives them.
import { createHash } from 'node:crypto';
import { invalidValue } from './error.ts';

export interface MessageAttribute {
  DataType: string;
  StringValue?: string;
  /** Base64, as on the wire. */
  BinaryValue?: string;
}

export type MessageAttributes = Record<string, MessageAttribute>;

/** As an event source mapping hands them to a function. */
export type LambdaMessageAttributes = Record<
  string,
  {
    dataType: string;
    stringValue?: string;
    binaryValue?: string;
    stringListValues: string[];
    binaryListValues: string[];
  }
>;

const validName = /^(?!AWS\.|Amazon\.)(?!\.)(?!.*\.\.)[\w.-]{1,256}(?<!\.)$/i;
const validType = /^(String|Number|Binary)(\..+)?$/;

export function checkMessageAttributes(attributes: MessageAttributes): void {
  const names = Object.keys(attributes);
  if (names.length > 10) {
    throw invalidValue(`Number of message attributes [${names.length}] exceeds the allowed maximum [10].`);
  }
  for (const name of names) checkOne(name, attributes[name]!);
}

/** MD5 over the attributes in the order of their names, each part preceded by its length in four bytes. */
export function messageAttributesDigest(attributes: MessageAttributes): string | undefined {
  const names = Object.keys(attributes).sort();
  if (names.length === 0) return undefined;
  const hash = createHash('md5');
  const part = (bytes: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.length);
    hash.update(length).update(bytes);
  };
  for (const name of names) {
    const attribute = attributes[name]!;
    part(Buffer.from(name));
    part(Buffer.from(attribute.DataType));
    hash.update(Buffer.from([isBinary(attribute) ? 2 : 1]));
    part(valueBytes(attribute));
  }
  return hash.digest('hex');
}

export function messageAttributesSize(attributes: MessageAttributes): number {
  let size = 0;
  for (const [name, attribute] of Object.entries(attributes)) {
    size += Buffer.byteLength(name) + Buffer.byteLength(attribute.DataType) + valueBytes(attribute).length;
  }
  return size;
}

/** Only those asked for: a name, a prefix ending in .*, or All. */
export function selectMessageAttributes(attributes: MessageAttributes, names: readonly string[]): MessageAttributes {
  const wanted = (name: string) =>
    names.some(
      (pattern) =>
        pattern === 'All' ||
        pattern === '.*' ||
        pattern === name ||
        (pattern.endsWith('.*') && name.startsWith(pattern.slice(0, -2))),
    );
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => wanted(name)));
}

export function lambdaMessageAttributes(attributes: MessageAttributes): LambdaMessageAttributes {
  const shaped: LambdaMessageAttributes = {};
  for (const [name, attribute] of Object.entries(attributes)) {
    shaped[name] = {
      ...(attribute.StringValue === undefined ? {} : { stringValue: attribute.StringValue }),
      ...(attribute.BinaryValue === undefined ? {} : { binaryValue: attribute.BinaryValue }),
      stringListValues: [],
      binaryListValues: [],
      dataType: attribute.DataType,
    };
  }
  return shaped;
}

function checkOne(name: string, attribute: MessageAttribute): void {
  if (!validName.test(name)) {
    throw invalidValue(
      'Message (user) attribute name can only contain upper and lower case letters, digits, periods, hyphens and ' +
        "underscores, and cannot start with 'AWS.' or 'Amazon.'.",
    );
  }
  if (!attribute?.DataType) {
    throw invalidValue(`The message attribute '${name}' must contain non-empty message attribute type.`);
  }
  if (!validType.test(attribute.DataType)) {
    throw invalidValue(
      `The type of message (user) attribute '${name}' is invalid. You must use only the following supported type ` +
        "prefixes: 'Binary', 'Number', 'String'.",
    );
  }
  const value = isBinary(attribute) ? attribute.BinaryValue : attribute.StringValue;
  if (!value) {
    throw invalidValue(
      `The message attribute '${name}' must contain a non-empty message attribute value for message attribute type ` +
        `'${attribute.DataType}'.`,
    );
  }
  if (attribute.DataType.startsWith('Number') && !Number.isFinite(Number(value))) {
    throw invalidValue(`Can't cast the value of message (user) attribute '${name}' to a number.`);
  }
}

function isBinary(attribute: MessageAttribute): boolean {
  return attribute.DataType.startsWith('Binary');
}

function valueBytes(attribute: MessageAttribute): Buffer {
  return isBinary(attribute)
    ? Buffer.from(attribute.BinaryValue ?? '', 'base64')
    : Buffer.from(attribute.StringValue ?? '');
}
