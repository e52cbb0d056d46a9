import type { Api } from '../support/incidents.ts';
import { inConsole } from './in-console.ts';

const people = ['agent@example.com', 'manager@example.com'];

inConsole('on-call schedules in the console', (the) => {
  let manager: Api;
  beforeAll(async () => {
    manager = await the.api('manager');
  });

  it('are created with a form that shows all problems, drawn, and overridden by mouse and keyboard', async () => {
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
    expect(await page.getByRole('row', { name: /^Network (?:agent|manager)/ }).count()).toBe(1);

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

  it('are part of policies, which a preview explains, and groups use policies', async () => {
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

  it('are read by viewers, who cannot change them', async () => {
    const { page } = await the.signedIn('on-call', 'viewer');
    await page.getByRole('heading', { name: 'Network' }).waitFor();
    await page.locator('.shifts .shift').first().waitFor();
    expect(await page.getByRole('button', { name: 'Override' }).count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Create schedule' }).count()).toBe(0);
  });
});
