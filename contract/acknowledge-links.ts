import * as z from 'zod';
import { defineOperations } from './operation.ts';

// The link in the message of a page. It works without signing in; the token names the page and the person.

const html = (description: string) =>
  ({
    description,
    body: z.string().meta({ description: 'A page for people.' }),
    contentType: 'text/html',
    example: '<!doctype html><html lang="en">…</html>',
  }) as const;

const responses = {
  200: html('The page: it asks for a confirmation, or says who acknowledged.'),
  404: html('The link is not valid.'),
  410: html('The link has expired, or the incident needs no answer any more.'),
};

/** Mail programs add parameters of their own, so unknown ones are ignored. */
const query = z.looseObject({
  t: z
    .string()
    .max(200)
    .default('')
    .meta({ description: 'Token of the link.', examples: ['PAG7Q2M4KX8T5VW.0.tb6g1s.3q2-7w'] }),
});

const base = {
  capability: 'oncall',
  rateLimit: 'general',
  access: 'public',
  path: '/acknowledge',
  query,
  responses,
} as const;

export const acknowledgeLinkOperations = defineOperations({
  showAcknowledgement: {
    ...base,
    method: 'GET',
    summary: 'Show the confirmation page of an acknowledge link',
    description:
      'Shows the incident, the person who is asked, and a button. It changes nothing, so a program that previews links does ' +
      'not acknowledge. The link is in every message of a page and works for 24 hours.',
  },
  acknowledgeByLink: {
    ...base,
    method: 'POST',
    summary: 'Acknowledge with the link of a message',
    description: 'Acknowledges the incident on behalf of the person whom the message was sent to, and ends its pages.',
  },
});
