// Values of schedules and policies. Free of zod, so that the browser can import them.

export const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;

export type Weekday = (typeof weekdays)[number];

export const shiftUnits = ['hours', 'days', 'weeks'] as const;

export const targetTypes = ['schedule', 'person', 'group'] as const;
