/** A page of any list of the service. */
export interface Page<Item> {
  data: readonly Item[];
  next_cursor?: string | undefined;
  total: number;
  /** False if `total` is a lower bound; absent in lists whose total is always exact. */
  total_is_exact?: boolean;
}

/** `10,000+` for a lower bound. */
export function formatTotal({ total, total_is_exact = true }: Pick<Page<unknown>, 'total' | 'total_is_exact'>): string {
  return `${total.toLocaleString('en')}${total_is_exact ? '' : '+'}`;
}

/** Which page to load. */
export interface PageRequest {
  limit: number;
  cursor?: string;
}

export interface Collected<Item> extends Omit<Page<Item>, 'data' | 'next_cursor'> {
  items: readonly Item[];
}

const pageSize = 200;
const maxPages = 5;

/** Loads a whole list, up to 1,000 entries. A larger `total` means that there are more. */
export async function collectPages<Item>(load: (page: PageRequest) => Promise<Page<Item>>): Promise<Collected<Item>> {
  const items: Item[] = [];
  let page = await load({ limit: pageSize });
  items.push(...page.data);
  for (let pages = 1; pages < maxPages && page.next_cursor !== undefined; pages += 1) {
    page = await load({ limit: pageSize, cursor: page.next_cursor });
    items.push(...page.data);
  }
  const { data: _, next_cursor: __, ...totals } = page;
  return { items, ...totals };
}

/** Loads a full numbered page. The service ends a page of very large records early; its cursor leads to the rest. */
export async function loadWholePage<Request extends { page: number; limit: number }, Item>(
  { page: number, ...request }: Request,
  load: (request: Omit<Request, 'page'> & { page?: number; cursor?: string }) => Promise<Page<Item>>,
): Promise<Page<Item>> {
  let page = await load({ ...request, page: number });
  const data = [...page.data];
  while (page.next_cursor !== undefined && page.data.length > 0 && data.length < request.limit) {
    page = await load({ ...request, limit: request.limit - data.length, cursor: page.next_cursor });
    data.push(...page.data);
  }
  return { ...page, data };
}
