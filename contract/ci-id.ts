import * as z from 'zod';

// Separate file because other records refer to configuration items.
export const ciId = z
  .string()
  .regex(/^CI\d{7}$/, 'must be CI followed by seven digits')
  .meta({ description: 'ID of the configuration item.', examples: ['CI0000042'] });
