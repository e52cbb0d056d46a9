import * as z from 'zod';

/** How urgent an incident is, most urgent first. Each has its own service-level target. */
export const priorities = ['P1', 'P2', 'P3', 'P4'] as const;

export const priority = z
  .enum(priorities)
  .meta({ id: 'Priority', description: 'How urgent it is, most urgent first.' });

export type Priority = (typeof priorities)[number];
