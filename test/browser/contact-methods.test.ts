import { readCode, readOutbox } from '../support/outbox.ts';
import { inConsole } from './in-console.ts';

inConsole('contact methods in the console', (the) => {
  it('adds a phone with its code, pages it after five minutes, and sends a test page that the outbox shows', async () => {
    const { page, complaints } = await the.signedIn('profile', 'itsm_agent');
    const { email } = the.person('itsm_agent');
    const table = page.getByRole('table', { name: 'Contact methods' });
    await table.getByRole('row', { name: new RegExp(`${email}.*Your account`) }).waitFor();
    await page.getByRole('button', { name: 'Add contact method' }).click();
    await page.getByRole('button', { name: 'Kind E-mail' }).click();
    await page.getByRole('option', { name: 'SMS' }).click();
    await page.getByLabel('Phone number in international form').fill('0151');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('Must be a phone number such as +4915112345678.').waitFor();
    await page.getByLabel('Phone number in international form').fill('+4915112349999');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('heading', { name: 'Verify +4915112349999' }).waitFor();
    await page.getByLabel('Code').fill(await readCode(the.service, '+4915112349999'));
    await page.getByRole('button', { name: 'Verify', exact: true }).click();
    await table.getByRole('row', { name: /\+4915112349999.*Ready/ }).waitFor();

    await page.getByRole('button', { name: 'When At once' }).nth(1).click();
    await page.getByRole('option', { name: 'After 5 minutes', exact: true }).click();
    await page.getByRole('button', { name: 'Save rules' }).click();
    await page.getByText('Notification rules saved.').waitFor();
    await page.getByRole('button', { name: 'Send me a test page' }).click();
    await page.getByText('A test page is on its way.').waitFor();
    await the.service.advance('6m', []);
    const [text] = await readOutbox(the.service, '+4915112349999');
    expect(text!.text).toContain('This is a test');

    await the.move({ page, complaints }, 'developer');
    await page.getByRole('button', { name: 'Reload the outbox' }).click();
    await page.getByText(`E-mail to ${email}`).first().waitFor();
    await page.getByText('SMS to +4915112349999').first().waitFor();
    // The number that was rejected.
    expect(complaints).toEqual([expect.stringContaining('status of 400')]);
  });
});
