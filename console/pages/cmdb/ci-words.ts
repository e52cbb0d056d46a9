export const ciList = '/cis';

export const ciPath = (id: string) => `${ciList}/${encodeURIComponent(id)}`;
