import { findChromium, reportMissingChromium } from './chromium.ts';

describe('chromium', () => {
  it('is the executable in CHROME_PATH', () => {
    expect(findChromium({ CHROME_PATH: '/opt/chrome', PATH: '' })).toBe('/opt/chrome');
  });

  it('is not found if it is not on the path', () => {
    expect(findChromium({ PATH: '/nowhere' })).toBeUndefined();
  });

  it('must be installed if browser tests are required', () => {
    expect(() => reportMissingChromium({ BROWSER_TESTS: 'required' })).toThrow('No Chromium was found');
  });
});
