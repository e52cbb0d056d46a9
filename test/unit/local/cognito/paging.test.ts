import { formatPageToken, parsePageSize, parsePageToken } from '../../../../local/cognito/paging.ts';

describe('paging', () => {
  it('has pages of 60 unless told otherwise, and none larger', () => {
    expect(parsePageSize(undefined, 'limit')).toBe(60);
    expect(parsePageSize(7, 'limit')).toBe(7);
    for (const size of [61, -1, 1.5, 'many']) {
      expect(() => parsePageSize(size, 'limit')).toThrow(
        expect.objectContaining({ code: 'InvalidParameterException' }),
      );
    }
  });

  it('reads its own marks and rejects others', () => {
    expect(parsePageToken(formatPageToken('abc'))).toBe('abc');
    expect(parsePageToken(formatPageToken(12))).toBe('12');
    expect(parsePageToken(undefined)).toBeUndefined();
    expect(() => parsePageToken('not a mark')).toThrow(expect.objectContaining({ code: 'InvalidParameterException' }));
  });
});
