// What a list shows, as the address tells it, with the names of the API. What is not understood is left out.

export interface ListSpec {
  /** Filters with few values, of which several may be chosen; each with the names of its values. */
  choices: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Filters that are compared with a text. */
  texts: readonly string[];
  sorts: readonly string[];
}

export interface ListAddress {
  filters: Readonly<Record<string, string>>;
  sort: string;
  order: 'asc' | 'desc';
  page: number;
}

export function addressFrom(query: string, { choices, texts, sorts }: ListSpec): ListAddress {
  const given = new URLSearchParams(query);
  const filters: Record<string, string> = {};
  for (const [name, values] of Object.entries(choices)) {
    const known = (given.get(name) ?? '').split(',').filter((value) => value in values);
    if (known.length > 0) filters[name] = known.join(',');
  }
  for (const name of [...texts, 'q']) {
    const value = given.get(name)?.trim();
    if (value) filters[name] = value;
  }
  const page = Number(given.get('page'));
  return {
    filters,
    sort: sorts.find((name) => name === given.get('sort')) ?? sorts[0]!,
    order: given.get('order') === 'asc' ? 'asc' : 'desc',
    page: Number.isInteger(page) && page >= 1 ? page : 1,
  };
}

/** The shortest address that says the same. */
export function queryFor({ filters, sort, order, page }: ListAddress, { sorts }: ListSpec): string {
  const query = new URLSearchParams(filters);
  if (sort !== sorts[0]) query.set('sort', sort);
  if (order !== 'desc') query.set('order', order);
  if (page !== 1) query.set('page', String(page));
  return query.toString().replaceAll('%2C', ',').replaceAll('%40', '@');
}
