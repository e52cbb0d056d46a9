// Free of zod, so that the browser can import them.

/** How a contact method reaches a person. The order is stored, so append new values. */
export const contactKinds = ['email', 'sms', 'slack', 'teams', 'ntfy'] as const;

export type ContactKind = (typeof contactKinds)[number];

/** Kinds whose address is a URL that the service posts to. */
export const chatKinds = ['slack', 'teams', 'ntfy'] as const;

export type ChatKind = (typeof chatKinds)[number];
