import { becomes } from '../../support/becomes.ts';
import { type Api, anIncident, createApi } from '../../support/incidents.ts';
import { signIn } from '../../support/people.ts';
import { inConsole } from '../in-console.ts';

inConsole('knowledge and notifications in the console', (the) => {
  let manager: Api;
  beforeAll(async () => {
    manager = await the.api('manager');
  });

  it('lets a manager write, preview and publish an article, which a viewer then finds', async () => {
    const { page, complaints } = await the.signedIn('knowledge', 'itsm_manager');
    await page.getByRole('link', { name: 'Create article' }).first().click();
    await page.getByRole('button', { name: 'Save article' }).click();
    await page.getByText('Is required.').first().waitFor();
    await page.getByLabel('Title', { exact: true }).fill('Printer says 49.38');
    const body =
      '## Repair\n\n| Code | Means |\n|---|---|\n| 49.38 | <img src=x onerror=alert(1)> |\n\n[x](javascript:alert(1))';
    await page.getByRole('textbox', { name: 'Article', exact: true }).fill(body);
    await page.getByRole('button', { name: 'Preview: Article' }).click();
    await page.getByRole('cell', { name: '<img src=x onerror=alert(1)>' }).waitFor();
    await page.getByLabel('Tags').fill('printer, codes');
    await page.getByRole('button', { name: 'Save article' }).click();
    await page.getByText('This article is a draft.').waitFor();
    expect(await page.getByRole('link', { name: 'x', exact: true }).count()).toBe(0);
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByRole('button', { name: 'Unpublish' }).waitFor();

    const reader = await the.signedIn('knowledge', 'viewer');
    await reader.page.getByLabel('Filter articles').fill('49.38 printer');
    await reader.page.keyboard.press('Enter');
    await reader.page.getByRole('link', { name: 'Printer says 49.38' }).click();
    await reader.page.getByRole('heading', { name: 'Repair' }).waitFor();
    expect(await reader.page.getByRole('button', { name: 'Delete' }).count()).toBe(0);
    await the.signedIn('knowledge/new', 'viewer');
    await reader.page.getByText('You need the Agent role to create or edit articles.').waitFor();
    expect(await reader.page.getByLabel('Title', { exact: true }).count()).toBe(0);
    expect([...complaints, ...reader.complaints]).toEqual([]);
  });

  it('escapes the text of an incident', async () => {
    const description =
      '<img src=x onerror="window.hurt=1"><script>window.hurt=1</script> [x](javascript:window.hurt=1)';
    const { id } = (await anIncident(manager, { short_description: '<b>Bold</b> claim', description })).body;
    const { page, complaints } = await the.signedIn(`incidents/${id}`);
    await page.getByRole('heading', { name: '<b>Bold</b> claim' }).waitFor();
    await page.getByText(description.replace(/\[x\].*/, 'x')).waitFor();
    expect(await page.evaluate('window.hurt')).toBeUndefined();
    expect(complaints).toEqual([]);
  });

  it('shows the unread count, follows groups and marks as read', async () => {
    await anIncident(manager, { assignment_group: 'night', notify_stakeholders: true });
    const { page, complaints } = await the.signedIn('notifications', 'itsm_agent');
    await page.getByText('No notifications.').waitFor();
    await page.getByLabel('Assignment group').fill('night');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Follow', exact: true }).click();
    await page.getByRole('button', { name: 'Notifications, 1 unread' }).click();
    const panel = page.getByRole('dialog', { name: 'Notifications' });
    await panel.getByRole('link', { name: /^New P\d incident INC.* just now/ }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Mark as read' }).click();
    await page.getByRole('button', { name: 'Notifications', exact: true }).waitFor();
    await page.getByText('Read', { exact: true }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('shows assignments and mentions, clears them when done, and respects the preferences', async () => {
    const person = the.person('itsm_agent');
    const own = createApi(the.service, await signIn(the.service, person));
    const { body } = await anIncident(manager, { short_description: 'Badge reader', assigned_to: person.email });
    await manager.post(`/incidents/${body.id}/notes`, { body: `@${person.email} please have a look` });
    await becomes(async () => (await own.get('/notifications')).body.unread, 2);
    const { page, complaints } = await the.signedIn('notifications', 'itsm_agent');
    const list = page.getByRole('list', { name: 'Notifications' });
    await list.getByText(/mentioned you in INC/).waitFor();
    await list.getByText(/assigned INC.* to you/).waitFor();
    await page.getByRole('checkbox', { name: 'Mentions of me in notes' }).click();
    await list.getByText(/mentioned you in INC/).waitFor({ state: 'detached' });
    for (const state of ['in_progress', 'resolved']) await manager.patch(`/incidents/${body.id}`, { state });
    await becomes(async () => (await own.get('/notifications')).body.unread, 0);
    await the.signedIn('notifications', 'itsm_agent');
    await list.getByText('Done', { exact: true }).waitFor();
    expect(complaints).toEqual([]);
  });
});
