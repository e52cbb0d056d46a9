import { loadWholePage } from '../../../console/records/paging.ts';

describe('loadWholePage', () => {
  it('follows the cursor when the service ended a numbered page early', async () => {
    const requests: object[] = [];
    const responses = [
      { data: ['a', 'b'], next_cursor: 'behind b', total: 9 },
      { data: ['c'], next_cursor: 'behind c', total: 9 },
    ];
    const page = await loadWholePage({ page: 2, limit: 3, sort: 'created_at' }, async (request) => {
      requests.push(request);
      return responses[requests.length - 1]!;
    });
    expect(page).toEqual({ data: ['a', 'b', 'c'], next_cursor: 'behind c', total: 9 });
    expect(requests).toEqual([
      { page: 2, limit: 3, sort: 'created_at' },
      { cursor: 'behind b', limit: 1, sort: 'created_at' },
    ]);
  });
});
