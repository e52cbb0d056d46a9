import { becomes } from '../support/becomes.ts';
import { anIncident, apiWith } from '../support/incidents.ts';
import { signIn } from '../support/people.ts';
import { inConsole } from './in-console.ts';

inConsole('notifications in the console', (the) => {
  it('tell of assignments and mentions, clear when done, and follow the preferences', async () => {
    const api = await the.api('manager');
    const person = the.person('itsm_agent');
    const own = apiWith(the.service, await signIn(the.service, person));
    const { body } = await anIncident(api, { short_description: 'Badge reader', assigned_to: person.email });
    await api.post(`/incidents/${body.id}/notes`, { body: `@${person.email} please have a look` });
    await becomes(async () => (await own.get('/notifications')).body.unread, 2);
    const { page, complaints } = await the.signedIn('notifications', 'itsm_agent', {});
    const list = page.getByRole('list', { name: 'Notifications' });
    await list.getByText(/mentioned you in INC/).waitFor();
    await list.getByText(/assigned INC.* to you/).waitFor();
    await page.getByRole('checkbox', { name: 'Mentions of me in notes' }).click();
    await list.getByText(/mentioned you in INC/).waitFor({ state: 'detached' });
    for (const state of ['in_progress', 'resolved']) await api.patch(`/incidents/${body.id}`, { state });
    await becomes(async () => (await own.get('/notifications')).body.unread, 0);
    await page.reload();
    await list.getByText('Done', { exact: true }).waitFor();
    expect(complaints).toEqual([]);
  });
});
