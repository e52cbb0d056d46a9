import { id } from './records.ts';

// Pages: an incident calls people, step by step, until somebody acknowledges it.

export const pageIdExample = 'PAG7Q2M4KX8T5VW';

export const pageId = id('page', 'ID of the page.', pageIdExample);
