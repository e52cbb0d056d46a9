import * as z from 'zod';

// Bodies as JSON, once they are what the contract says. The records of a list are often the same objects as in the list
// before; what was found good once is not looked at again.

export function checkedJson(schema: z.ZodType, body: unknown, refuse: (why: string) => never): string {
  const record = recordOfPage(schema);
  if (!record || !isPage(body)) return JSON.stringify(checked(schema, body, refuse));
  const { data, ...rest } = checked(schema, { ...body, data: [] }, refuse) as { data: [] };
  const records = body.data.map((each) => textOf(record, each, refuse));
  const others = JSON.stringify(rest).slice(1);
  return `{"data":[${records.join(',')}]${others === '}' ? '' : ','}${others}`;
}

const texts = new WeakMap<object, { schema: z.ZodType; text: string }>();

function textOf(schema: z.ZodType, record: object, refuse: (why: string) => never): string {
  const known = texts.get(record);
  if (known?.schema === schema) return known.text;
  const text = JSON.stringify(checked(schema, record, refuse));
  texts.set(record, { schema, text });
  return text;
}

function checked(schema: z.ZodType, value: unknown, refuse: (why: string) => never): unknown {
  const result = schema.safeParse(value);
  return result.success ? result.data : refuse(result.error.message);
}

function recordOfPage(schema: z.ZodType): z.ZodType | undefined {
  const data = schema instanceof z.ZodObject ? schema.shape.data : undefined;
  return data instanceof z.ZodArray ? (data.element as z.ZodType) : undefined;
}

function isPage(body: unknown): body is { data: object[] } {
  const data = (body as { data?: unknown } | null)?.data;
  return Array.isArray(data) && data.every((each) => typeof each === 'object' && each !== null);
}
