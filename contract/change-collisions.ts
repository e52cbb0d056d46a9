import * as z from 'zod';
import {
  calendarEntry,
  changeCalendarExample,
  changeId,
  collisionCause,
  endError,
  maxCalendarChanges,
  maxChangeItems,
  requiredTime,
} from './change-calendar.ts';
import { commaSeparated, storedCiReference, timestamp } from './records.ts';

// Collisions of one time window, of a stored change or a draft. The calendar lists the collisions of all changes.

export const changeCollisionsQuery = z
  .strictObject({
    from: requiredTime('Start of the window.'),
    to: requiredTime('End of the window. Must be after `from`.'),
    ci_ids: z
      .string()
      .transform((given) => [...new Set(given.split(',').map((one) => one.trim()))])
      .pipe(z.array(storedCiReference).max(maxChangeItems))
      .meta({
        description: 'Affected configuration items, comma-separated.',
        ...commaSeparated({ type: 'string' }, ['CI0000042']),
      }),
    change_id: changeId
      .optional()
      .meta({ description: 'Change that has this window; it does not collide with itself.' }),
  })
  .refine(({ from, to }) => Date.parse(to) > Date.parse(from), endError('must be after from'));

const collidingChange = z
  .strictObject({
    change: calendarEntry,
    from: timestamp('Start of the overlap.'),
    to: timestamp('End of the overlap.'),
    ...collisionCause,
  })
  .meta({ id: 'CollidingChange', description: 'Change that may conflict with the window.' });

export type CollidingChange = z.infer<typeof collidingChange>;

export const changeCollisions = z
  .strictObject({
    data: z.array(collidingChange).meta({ description: 'Colliding changes ordered by planned start.' }),
    truncated: z
      .strictObject({
        changes: z.boolean().meta({
          description: `Whether more than ${maxCalendarChanges} changes overlap the window. The others were not checked.`,
        }),
        dependencies: z.boolean().meta({
          description:
            'Whether the dependency graph was too large to follow completely, so that collisions may be missing.',
        }),
      })
      .meta({ description: 'Which parts of the check are incomplete.' }),
  })
  .meta({ id: 'ChangeCollisions', description: 'Changes that may conflict with a window.' });

export const changeCollisionsExample: z.infer<typeof changeCollisions> = {
  data: changeCalendarExample.data.slice(0, 1).map((change) => ({
    change,
    from: '2026-03-07T20:30:00.000Z',
    to: '2026-03-07T21:00:00.000Z',
    reason: 'same_ci',
    ci_ids: ['CI0000042'],
  })),
  truncated: { changes: false, dependencies: false },
};
