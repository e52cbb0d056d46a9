import * as z from 'zod';
import { defaultToNull, lifecycleFields, patchFields, withReadOnlyFields } from './records.ts';

// The schemas of a record type: the record, its creation and its merge patch.

type Shape = Readonly<Record<string, z.ZodType>>;

interface RecordParts<
  Id extends z.ZodString,
  Fields extends Shape,
  Defaults extends { [Name in keyof Fields]?: z.ZodType },
  Optional extends Readonly<Record<string, z.ZodNullable>>,
  Computed extends Shape,
> {
  /** Name of the schema in the API document. */
  schema: string;
  thing: string;
  description: string;
  id: Id;
  fields: Fields;
  /** Fields that a creation may omit, or that it restricts. */
  defaults: Defaults;
  /** Default to null on create; null clears them in an update. */
  optional: Optional;
  /** Set by the service, besides the ids and the times. */
  computed: Computed;
  /** Description of the patch. */
  patch?: string;
  /** A rule about several fields of a creation. */
  refineCreation?<Creation extends z.ZodObject>(creation: Creation): Creation;
}

export function recordSchemas<
  Id extends z.ZodString,
  Fields extends Shape,
  const Defaults extends { [Name in keyof Fields]?: z.ZodType },
  Optional extends Readonly<Record<string, z.ZodNullable>>,
  Computed extends Shape,
>({
  schema,
  thing,
  description,
  id,
  fields,
  defaults,
  optional,
  computed,
  patch = 'Fields to update. null or an empty text clears an optional field.',
  refineCreation = (creation) => creation,
}: RecordParts<Id, Fields, Defaults, Optional, Computed>) {
  const identifiers = { id, number: id.meta({ description: 'Same as `id`.' }) };
  const setByService = { ...computed, ...lifecycleFields(thing) };
  const created = { ...fields, ...defaults } as unknown as z.util.Extend<Fields, Defaults>;
  const readOnly = { ...identifiers, ...setByService };
  return {
    record: z
      .strictObject({ ...identifiers, ...fields, ...optional, ...setByService })
      .meta({ id: schema, description }),
    creation: withReadOnlyFields(
      refineCreation(z.strictObject({ ...created, ...defaultToNull(optional) })).meta({
        id: `${schema}Creation`,
        description: `New ${thing}.`,
      }),
      readOnly,
    ),
    patch: withReadOnlyFields(
      z.strictObject(patchFields({ ...fields, ...optional })).meta({ id: `${schema}Patch`, description: patch }),
      readOnly,
    ),
  };
}
