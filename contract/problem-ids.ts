import { id } from './records.ts';

/** Separate, because incidents refer to problems and problems list incidents. */
export const problemId = id('problem', 'ID of the problem.', 'PRB5H2K9QX');
