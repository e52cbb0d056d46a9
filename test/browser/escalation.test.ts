import { anIncidentThatPages, aPagingGroup, aPolicy, listPages, toPerson } from '../support/paging.ts';
import { inConsole } from './in-console.ts';

inConsole('an escalation in the console', (the) => {
  it('runs with a countdown, pages somebody else and ends with an answer, also on a phone', async () => {
    const manager = await the.api('manager');
    const [first, second] = [the.person('itsm_agent').email, the.person('itsm_manager').email];
    const policy = await aPolicy(manager, [[toPerson(first)], [toPerson(second)]], { name: 'Outages' });
    const id = await anIncidentThatPages(the.service, manager, await aPagingGroup(manager, policy));
    const phone = { viewport: { width: 390, height: 844 } };
    const { page, complaints } = await the.signedIn(`incidents/${id}`, 'itsm_manager', phone);
    await page.getByText('Paging · step 1 of 2').waitFor();
    await page.getByText(/^Next step in [45]:\d\d$/).waitFor();
    await page.getByText(`email to ${first}: sent`).waitFor();
    const width = await page.evaluate<number>('document.documentElement.scrollWidth');
    expect(width).toBeLessThanOrEqual(390);
    if (process.env.SCREENSHOT) {
      await page.getByText('Paging · step 1 of 2').scrollIntoViewIfNeeded();
      await page.screenshot({ path: process.env.SCREENSHOT });
    }

    await page.getByRole('button', { name: 'Page…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Page somebody' });
    await dialog.getByLabel('Email address').fill('nobody@example.com');
    await dialog.getByRole('button', { name: 'Page', exact: true }).click();
    await dialog
      .getByText(/not in the directory/)
      .first()
      .waitFor();
    await dialog.getByLabel('Email address').fill(second);
    await dialog.getByRole('button', { name: 'Page', exact: true }).click();
    await page.getByText('Earlier pages').waitFor();

    await page.getByRole('button', { name: 'Acknowledge' }).click();
    await page.getByText('Acknowledged', { exact: true }).first().waitFor();
    expect((await listPages(manager, id)).map(({ state }) => state)).toEqual(['acknowledged', 'acknowledged']);
    // The browser reports the rejected page.
    expect(complaints.filter((each) => !each.includes('400 (Bad Request)'))).toEqual([]);
  });
});
