import * as z from 'zod';

/** Most urgent first. Each priority has its own SLA target. */
export const priorities = ['P1', 'P2', 'P3', 'P4'] as const;

export const priority = z.enum(priorities).meta({ id: 'Priority', description: 'Priority; P1 is the most urgent.' });

export type Priority = (typeof priorities)[number];
