import * as z from 'zod';
import { changeId } from './change-calendar.ts';
import { idPatterns } from './ids.ts';
import { incidentParams } from './incidents.ts';
import { defineOperations } from './operation.ts';
import { problemId } from './problem-ids.ts';
import { callerEmail, idParams, timestamp } from './records.ts';
import { linkedKinds, linkInverses, linkTypes } from './states.ts';

// Links between an incident and another incident, a problem or a change. Both records show the link, each from its side.

export const maxLinks = 100;

const recordId = z
  .string()
  .refine(
    (id) => linkedKinds.some((kind) => idPatterns[kind].test(id)),
    'must be the ID of an incident, a problem or a change',
  )
  .meta({ description: 'ID of the linked incident, problem or change.', examples: ['INC4W9T2KD'] });

const linkCreation = z
  .strictObject({
    type: z
      .enum(linkTypes)
      .meta({ description: 'Type of the link. Only an incident can be the original of a duplicate.' }),
    record_id: recordId,
  })
  .meta({ id: 'LinkCreation', description: 'New link.' });

const link = z
  .strictObject({
    type: z.enum([...linkTypes, 'duplicated_by', 'causes']).meta({
      description: 'Type of the link, as the record that lists it sees it: the other side of `caused_by` is `causes`.',
    }),
    record_id: recordId,
    record_type: z.enum(linkedKinds).meta({ description: 'Type of the linked record.' }),
    short_description: z
      .string()
      .nullable()
      .meta({ description: 'Summary of the linked record; null if it was deleted.' }),
    state: z.string().nullable().meta({ description: 'State of the linked record; null if it was deleted.' }),
    created_at: timestamp('Time of creation of the link.'),
    created_by: callerEmail('Creator of the link.'),
  })
  .meta({ id: 'Link', description: 'Link to another record.' });

export type Link = z.infer<typeof link>;

const example: Link = {
  type: 'duplicate_of',
  record_id: 'INC4W9T2KD',
  record_type: 'incident',
  short_description: 'Mail is not delivered to external addresses',
  state: 'in_progress',
  created_at: '2026-03-01T09:42:10.120Z',
  created_by: 'ada.lovelace@example.com',
};

const linkList = z.strictObject({ links: z.array(link) }).meta({ id: 'LinkList', description: 'Links of a record.' });

const list = <const Path extends string, const Capability extends string>(
  capability: Capability,
  path: Path,
  aThing: string,
  params: typeof incidentParams,
) =>
  ({
    capability,
    rateLimit: 'general',
    method: 'GET',
    path: `${path}/{id}/links`,
    summary: `List the links of ${aThing}`,
    description: `Lists the links of ${aThing}, oldest first; a record has at most ${maxLinks}.`,
    access: 'viewer',
    params,
    responses: {
      200: {
        description: 'The links.',
        body: linkList,
        example: { links: [example] },
      },
    },
  }) as const;

const lists = {
  incident: list('incidents', '/incidents', 'an incident', incidentParams),
  problem: list('problems', '/problems', 'a problem', idParams(problemId)),
  change: list('changes', '/changes', 'a change', idParams(changeId)),
};

const sides = Object.entries(linkInverses).map(([type, inverse]) => `\`${type}\` is \`${inverse}\``);

export const linkOperations = defineOperations({
  getIncidentLinks: lists.incident,
  getProblemLinks: lists.problem,
  getChangeLinks: lists.change,
  createIncidentLink: {
    ...lists.incident,
    method: 'POST',
    summary: 'Link an incident to another record',
    description:
      'Links the incident; the other record shows the link from its side, where ' +
      `${sides.join(', ')}. Both histories record it. A link to the same record is replaced, so a request can be repeated.`,
    access: 'itsm_agent',
    body: linkCreation,
    bodyExample: { type: 'duplicate_of', record_id: example.record_id },
    responses: { 201: { description: 'The link.', body: link, example } },
    errors: ['limit_reached'],
  },
  deleteIncidentLink: {
    ...lists.incident,
    method: 'DELETE',
    path: '/incidents/{id}/links/{record_id}',
    summary: 'Remove a link of an incident',
    description: 'Removes the link between the two records. Both histories record it.',
    access: 'itsm_agent',
    params: z.strictObject({ ...incidentParams.shape, record_id: recordId }),
    responses: { 204: { description: 'The link was removed.' } },
  },
});
