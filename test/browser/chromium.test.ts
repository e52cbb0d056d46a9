import { findChromium, reportMissingChromium } from './chromium.ts';

describe('chromium', () => {
  it('is the one that CHROME_PATH names', () => {
    expect(findChromium({ CHROME_PATH: '/opt/chrome', PATH: '' })).toBe('/opt/chrome');
  });

  it('is not found where nothing is on the path', () => {
    expect(findChromium({ PATH: '/nowhere' })).toBeUndefined();
  });

  it('must be there where browser tests are required', () => {
    expect(() => reportMissingChromium({ BROWSER_TESTS: 'required' })).toThrow('No Chromium was found');
  });
});
