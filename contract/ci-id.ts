import * as z from 'zod';

// In a file of its own: other kinds of records refer to configuration items without knowing more of them.
export const ciId = z
  .string()
  .regex(/^CI\d{7}$/, 'must be CI followed by seven digits')
  .meta({ description: 'The id of the configuration item.', examples: ['CI0000042'] });
