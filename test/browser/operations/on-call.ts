import type { Api } from '../../support/incidents.ts';
import { readCode, readOutbox } from '../../support/outbox.ts';
import { anIncidentThatPages, aPagingGroup, aPolicy, listPages, toPerson } from '../../support/paging.ts';
import { inConsole } from '../in-console.ts';

const people = ['agent@example.com', 'manager@example.com'];

inConsole('on-call in the console', (the) => {
  let manager: Api;
  beforeAll(async () => {
    manager = await the.api('manager');
  });

  it('has schedules, which are created with a form that shows all problems, drawn, and overridden by mouse and keyboard', async () => {
    const { page, complaints } = await the.signedIn('on-call/schedules/new', 'itsm_manager');
    await page.getByLabel('Name', { exact: true }).fill('Network');
    await page.getByRole('textbox', { name: 'People' }).fill('nobody@example.com');
    await page.getByRole('button', { name: 'Create schedule' }).click();
    await page.getByText('names nobody@example.com, who is not in the directory', { exact: false }).waitFor();
    await page.getByRole('textbox', { name: 'People' }).fill(people.join('\n'));
    await page.getByRole('button', { name: 'Create schedule' }).click();
    await page.getByRole('heading', { name: 'Network' }).waitFor();
    const { id } = (await manager.get('/schedules')).body.data[0];
    const bars = page.locator('.shifts .shift');
    await bars.first().waitFor();
    expect(await page.getByRole('row', { name: /^Network (?:agent|manager)/i }).count()).toBe(1);

    const track = (await page.locator('.shifts').boundingBox())!;
    const y = track.y + track.height / 2;
    await page.mouse.move(track.x + track.width * 0.7, y);
    await page.mouse.down();
    await page.mouse.move(track.x + track.width * 0.8, y, { steps: 5 });
    await page.mouse.up();
    const dialog = page.getByRole('dialog', { name: 'Override in Network' });
    await dialog.getByRole('button', { name: 'Create override' }).click();
    await page.locator('.shifts .shift.override').waitFor();
    const { overrides } = (await manager.get(`/schedules/${id}/overrides`)).body;
    expect(overrides).toMatchObject([{ person: 'manager@example.com', created_by: 'manager@example.com' }]);

    await page.locator('.shifts .shift.override').focus();
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Delete override' }).click();
    await page.locator('.shifts .shift.override').waitFor({ state: 'detached' });
    expect((await manager.get(`/schedules/${id}/overrides`)).body.overrides).toEqual([]);
    // The browser reports the rejected form.
    expect(complaints.filter((text) => !text.includes('400 (Bad Request)'))).toEqual([]);
  });

  it('has schedules in policies, which a preview explains, and groups use policies', async () => {
    const { page, complaints } = await the.signedIn('on-call/policies/new', 'itsm_manager');
    await page.getByLabel('Name', { exact: true }).fill('Outages');
    await page.getByRole('button', { name: 'Target 1 of step 1' }).click();
    await page.getByRole('option', { name: 'Network' }).click();
    await page.getByRole('button', { name: 'Add step' }).click();
    await page.getByRole('button', { name: 'Kind 1 of step 2' }).click();
    await page.getByRole('option', { name: 'Person' }).click();
    await page.getByRole('combobox', { name: 'Target 1 of step 2' }).fill('agent@example.com');
    await page.keyboard.press('Escape');
    await page.getByText('The schedule Network at once, then after 5 minutes agent.').waitFor();
    await page.getByRole('button', { name: 'Create policy' }).click();
    await page.getByRole('link', { name: 'Outages' }).waitFor();

    await manager.post('/incidents', { short_description: 'Mail is down', assignment_group: 'messaging' });
    await the.service.advance('1s', []);
    const [policy] = (await manager.get('/escalation-policies')).body.data;
    await page.reload();
    await page.getByRole('button', { name: 'Policy of messaging' }).click();
    await page.getByRole('option', { name: 'Outages' }).click();
    await page.getByRole('button', { name: 'Priorities of messaging' }).waitFor();
    expect((await manager.get('/groups/messaging/paging')).body).toMatchObject({ escalation_policy_id: policy.id });

    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    expect(complaints).toEqual([]);
  });

  it('is read by viewers, who cannot change it', async () => {
    const { page } = await the.signedIn('on-call', 'viewer');
    await page.getByRole('heading', { name: 'Network' }).waitFor();
    await page.locator('.shifts .shift').first().waitFor();
    expect(await page.getByRole('button', { name: 'Override' }).count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Create schedule' }).count()).toBe(0);
  });

  it('has calendars and SLA policies beside it, whose names incidents show', async () => {
    const { page, complaints } = await the.signedIn('service-levels/calendars/new', 'itsm_manager');
    await page.getByLabel('Name', { exact: true }).fill('Office');
    await page.getByRole('textbox', { name: 'From' }).fill('25:00');
    await page.getByRole('button', { name: 'Create calendar' }).click();
    await page.getByText('must be a time of day such as 09:00').waitFor();
    await page.getByRole('textbox', { name: 'From' }).fill('09:00');
    await page.getByRole('button', { name: 'Create calendar' }).click();
    await page.getByRole('link', { name: 'Office' }).click();
    const icalendar =
      'BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nDTSTART;VALUE=DATE:20200101\nRRULE:FREQ=YEARLY\nSUMMARY:New Year\n';
    const buffer = Buffer.from(`${icalendar}END:VEVENT\nEND:VCALENDAR`);
    const file = { name: 'holidays.ics', mimeType: 'text/calendar', buffer };
    await page.getByLabel('iCalendar file').setInputFiles(file);
    await page.getByText('1 holidays were added').waitFor();
    expect(await page.getByLabel('Name of holiday 1').inputValue()).toBe('New Year');
    await the.signedIn('service-levels/policies/new', 'itsm_manager');
    await page.getByLabel('Name', { exact: true }).fill('Printers');
    await page.getByRole('combobox', { name: 'Category (optional)' }).fill('printing');
    await page.getByRole('button', { name: 'Calendar' }).click();
    await page.getByRole('option', { name: 'Office' }).click();
    await page.getByRole('button', { name: 'Create SLA policy' }).click();
    await page.getByRole('row', { name: /^Printers Incidents, printing/ }).waitFor();
    await the.service.advance('6s', []);
    const { id } = (await manager.post('/incidents', { short_description: 'Toner', category: 'printing' })).body;
    await the.signedIn(`incidents/${id}`, 'itsm_manager');
    await page.getByRole('button', { name: /^SLA/ }).first().click();
    await page.getByRole('link', { name: 'Printers' }).waitFor();
    await page.getByText('Open hours of Office').waitFor();
    expect(complaints.filter((text) => !text.includes('status of 400'))).toEqual([]);
  });

  describe('an escalation', () => {
    it('runs with a countdown, pages somebody else and ends with an answer, also on a phone', async () => {
      const [first, second] = [the.person('itsm_agent').email, the.person('itsm_manager').email];
      const policy = await aPolicy(manager, [[toPerson(first)], [toPerson(second)]], { name: 'Outages' });
      const id = await anIncidentThatPages(the.service, manager, await aPagingGroup(manager, policy));
      const phone = { viewport: { width: 390, height: 844 } };
      const { page, complaints } = await the.signedIn(`incidents/${id}`, 'itsm_manager', phone);
      await page.getByText('Paging · step 1 of 2').waitFor();
      await page.getByText(/^Next step in [45]:\d\d$/).waitFor();
      await page.getByText('E-mail to Agent: sent').waitFor();
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

  describe('contact methods', () => {
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
});
