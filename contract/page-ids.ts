import { id } from './records.ts';

export const pageIdExample = 'PAG7Q2M4KX8T5VW';

export const pageId = id('page', 'ID of the page.', pageIdExample);
