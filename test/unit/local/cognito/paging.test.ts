import { pageSize, readMark, writeMark } from '../../../../local/cognito/paging.ts';

describe('paging', () => {
  it('has pages of 60 unless told otherwise, and none larger', () => {
    expect(pageSize(undefined, 'limit')).toBe(60);
    expect(pageSize(7, 'limit')).toBe(7);
    for (const size of [61, -1, 1.5, 'many']) {
      expect(() => pageSize(size, 'limit')).toThrow(expect.objectContaining({ code: 'InvalidParameterException' }));
    }
  });

  it('reads its own marks and refuses others', () => {
    expect(readMark(writeMark('abc'))).toBe('abc');
    expect(readMark(writeMark(12))).toBe('12');
    expect(readMark(undefined)).toBeUndefined();
    expect(() => readMark('not a mark')).toThrow(expect.objectContaining({ code: 'InvalidParameterException' }));
  });
});
