import { assertSize, parsePayload } from '../../../lambdas/inbound/payload.ts';

describe('parsePayload', () => {
  it.each(['{}', '[1]', '"text"', '0', 'null'])('takes any JSON: %s', (text) => {
    expect(parsePayload(Buffer.from(text))).toEqual(JSON.parse(text));
  });

  it.each(['', '{', 'undefined', "{'a':1}", 'NaN'])('refuses what is none: %s', (text) => {
    expect(() => parsePayload(Buffer.from(text))).toThrow(expect.objectContaining({ code: 'malformed_json' }));
  });

  it('refuses what is nested so deep that it can only be meant to hurt', () => {
    const nested = (levels: number) => Buffer.from('['.repeat(levels) + ']'.repeat(levels));
    expect(parsePayload(nested(100))).toBeDefined();
    expect(() => parsePayload(nested(102))).toThrow(expect.objectContaining({ code: 'invalid_input' }));
    expect(() => parsePayload(nested(100_000))).toThrow(expect.objectContaining({ code: 'invalid_input' }));
  });
});

describe('assertSize', () => {
  it('takes 256 KB and no byte more', () => {
    expect(() => assertSize(Buffer.alloc(262_144))).not.toThrow();
    expect(() => assertSize(Buffer.alloc(262_145))).toThrow(expect.objectContaining({ code: 'payload_too_large' }));
  });
});
