import type { Page } from 'playwright-core';
import { becomes } from '../support/becomes.ts';
import { anIncident, type Fields } from '../support/incidents.ts';
import { inConsole } from './in-console.ts';

inConsole('incidents in the console', (the) => {
  const create = async (fields: Fields): Promise<{ id: string }> =>
    (await anIncident(await the.api('manager'), fields)).body;

  it('are created, filtered, updated with notes, resolved and listed in the history', async () => {
    const { page, complaints } = await the.signedIn('incidents');
    await page.getByRole('link', { name: 'Create incident' }).first().click();
    await page.getByLabel('Short description').fill('The kiosk in the lobby shows a blue screen');
    await page.getByLabel('Description', { exact: true }).fill('It says **0x80070005**.');
    page.on('dialog', (dialog) => dialog.accept());
    await page.reload();
    const description = page.getByLabel('Description', { exact: true });
    await description.waitFor();
    expect(await description.inputValue()).toBe('It says **0x80070005**.');
    await page.getByLabel('Assignment group').fill('desktop');
    await page.getByRole('button', { name: 'Assign to me' }).click();
    await page.getByRole('button', { name: 'Create incident' }).click();
    await page.getByRole('heading', { name: 'The kiosk in the lobby shows a blue screen' }).waitFor();
    await page.locator('strong', { hasText: '0x80070005' }).waitFor();

    await page.getByRole('link', { name: 'Incidents', exact: true }).first().click();
    await search(page, 'kiosk lobby');
    await matches(page, '1 match');
    expect(new URL(page.url()).searchParams.get('q')).toBe('kiosk lobby');
    await page.getByRole('table').getByRole('link', { name: /^INC/ }).click();

    await page.getByLabel('Add work note', { exact: true }).last().fill('Rebooted it.');
    await page.reload();
    const note = page.getByLabel('Add work note', { exact: true }).last();
    await note.waitFor();
    expect(await note.inputValue()).toBe('Rebooted it.');
    await note.press('Control+Enter');
    const activity = page.getByRole('list', { name: 'Activity' });
    await activity.getByText('Rebooted it.').waitFor();
    await page.getByRole('button', { name: 'Notes (1)' }).waitFor();
    expect(await note.inputValue()).toBe('');

    await page.getByRole('button', { name: 'Edit priority' }).click();
    await page.getByRole('form', { name: 'Edit priority' }).getByRole('button').first().click();
    await page.getByRole('option', { name: /P1/ }).click();
    await page.getByRole('button', { name: 'Save priority' }).click();
    await page.getByText(/^3 h 5\d min left$/).waitFor();

    await page.getByRole('button', { name: 'Start work' }).click();
    await page.getByRole('button', { name: 'Resolve' }).click();
    const question = page.getByRole('dialog', { name: 'Resolve incident' });
    await question.getByRole('button', { name: 'Resolve' }).click();
    await question.getByText('Describe how the incident was resolved.').waitFor();
    await question.getByLabel('Resolution', { exact: true }).fill('Replaced the disk.');
    await question.getByRole('button', { name: 'Resolve' }).click();
    await page.getByRole('button', { name: 'Reopen' }).waitFor();

    await page.getByRole('button', { name: /^Changes \(/ }).click();
    await activity.getByText('Replaced the disk.').waitFor();
    expect(await activity.getByText('Rebooted it.').count()).toBe(0);
    expect(await changesIn(activity)).toEqual(
      expect.arrayContaining(['State In progress → Resolved', 'State New → In progress', 'Priority P3 → P1']),
    );
    await page.getByText('Requester', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'All their incidents' }).click();
    await page.getByRole('link', { name: 'The kiosk in the lobby shows a blue screen' }).waitFor();
    expect(new URL(page.url()).searchParams.get('opened_by')).toBe(the.person('itsm_manager').email);
    expect(complaints).toEqual([]);
  });

  it('get files that are chosen or dropped, and show them in the note', async () => {
    const { id } = await create({ short_description: 'The relay rejects mail' });
    const { page, complaints } = await the.signedIn(`incidents/${id}`);
    const form = page.getByRole('form', { name: 'Add work note' });
    await form.getByLabel('Files', { exact: true }).setInputFiles([
      { name: 'relay.log', mimeType: '', buffer: Buffer.from('connection refused') },
      { name: 'broken.png', mimeType: 'image/png', buffer: Buffer.from('not a picture') },
    ]);
    const files = form.getByRole('list', { name: 'Files of this note' });
    await files.getByText('Its content is not of the type').waitFor();
    await form.getByRole('button', { name: 'Remove broken.png' }).click();
    // As text, because the types of tests are not those of browsers.
    const dropped = await page.evaluateHandle(`(() => {
      const transfer = new DataTransfer();
      transfer.items.add(new File(['a,b'], 'table.csv', { type: 'text/csv' }));
      return transfer;
    })()`);
    await form.locator('.file-drop').dispatchEvent('drop', { dataTransfer: dropped });
    await files.getByText('table.csv').waitFor();
    await form.getByRole('button', { name: 'Add note' }).click();
    const attached = page.getByRole('list', { name: 'Attachments' });
    await attached.getByText('text/csv, 3 B').waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      attached.getByRole('button', { name: 'Download relay.log' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('relay.log');
    // Chromium reports the rejected picture.
    expect(complaints).toEqual([expect.stringMatching(/status of 400 .*\/complete$/)]);
  });

  it('can be handled with keys, a preview and saved views of the person', async () => {
    const [first, second] = [
      await create({
        short_description: 'Triage one',
        category: 'triage',
        priority: 'P2',
        description: 'Look **here**',
      }),
      await create({ short_description: 'Triage two', category: 'triage', priority: 'P1' }),
    ];
    const { page, complaints } = await the.signedIn('incidents?category=triage', 'itsm_agent');
    await page.getByRole('link', { name: 'Triage one' }).waitFor();
    await page.getByRole('columnheader', { name: 'Time to breach' }).getByRole('button').press('Enter');
    await page.waitForURL(/sort=sla_breach_at&order=asc/);
    await page.getByRole('row').nth(1).getByRole('link', { name: second.id }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('v');
    await page.getByText(`${first.id}: Triage one`).waitFor();
    await page.getByRole('columnheader', { name: 'Updated' }).waitFor({ state: 'detached' });
    await page.locator('strong', { hasText: 'here' }).waitFor();
    await page.keyboard.press('k');
    await page.getByText(`${second.id}: Triage two`).waitFor();
    await page.keyboard.press('x');
    await page.getByRole('heading', { name: 'Incidents (1/2)' }).waitFor();
    await page.keyboard.press('a');
    await page.getByRole('option', { name: 'Me' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText(`Assigned to of ${second.id} changed.`).waitFor();
    await page.keyboard.press('p');
    await page.getByRole('option', { name: /P3/ }).click();
    await page.getByText(`Priority of ${second.id} changed.`).waitFor();
    await page.getByRole('button', { name: 'Undo' }).first().click();
    const agent = await the.api('agent');
    await becomes(async () => (await agent.get(`/incidents/${second.id}`)).body.priority, 'P1');
    expect((await agent.get(`/incidents/${second.id}`)).body.assigned_to).toBe(the.person('itsm_agent').email);
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Change the priority').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Saved views' }).click();
    await page.getByRole('menuitem', { name: 'Save this view…' }).click();
    await page.getByRole('dialog', { name: 'Save view' }).getByLabel('Name').fill('Triage by breach');
    await page.getByRole('dialog', { name: 'Save view' }).getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Pinned view: Triage by breach' }).waitFor();
    await page.getByRole('link', { name: second.id }).click();
    await page.getByRole('heading', { name: 'Triage two' }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Incidents (1/2)' }).waitFor();
    await page.keyboard.press('x');
    await page.getByRole('heading', { name: 'Incidents (2)' }).waitFor();
    expect(complaints).toEqual([]);
    const other = await the.signedIn('incidents', 'itsm_agent', {});
    await other.page.getByRole('button', { name: 'Pinned view: Triage by breach' }).click();
    await other.page.getByRole('row').nth(1).getByRole('link', { name: second.id }).waitFor();
    expect(other.complaints).toEqual([]);
    const { page: manager } = await the.signedIn('incidents?q=Triage', 'itsm_manager');
    const chooseView = async (name: string) => {
      await manager.getByRole('button', { name: 'Saved views' }).click();
      await manager.getByRole('menuitem', { name }).click();
    };
    const edit = manager.getByRole('dialog', { name: /view$/ });
    await chooseView('Save this view…');
    await edit.getByLabel('Name').fill('Triage');
    await edit.getByLabel('Share with everyone').check({ force: true });
    await edit.getByRole('button', { name: 'Save' }).click();
    await manager.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Triage 2' }).waitFor();
    await chooseView('Rename, pin or share “Triage”…');
    await edit.getByLabel('Name').fill('Team triage');
    await edit.getByRole('button', { name: 'Save' }).click();
    await page.reload();
    await page.getByRole('link', { name: 'Team triage 2' }).click();
    await page.waitForURL(/q=Triage/);
  });

  it('move on the board by drag and drop and by menu, only by allowed transitions', async () => {
    const { id } = await create({ short_description: 'Board card', priority: 'P1' });
    const { page, complaints } = await the.signedIn('incidents/board', 'itsm_agent');
    const column = (name: RegExp) => page.getByRole('region', { name });
    const card = (name: RegExp) => column(name).getByRole('article').filter({ hasText: id });
    await card(/^New:/).dragTo(column(/^On hold:/));
    await card(/^New:/).dragTo(column(/^In progress:/));
    await card(/^In progress:/).waitFor();
    await page.getByRole('button', { name: `Move ${id}` }).click();
    expect(await page.getByRole('menuitem').allTextContents()).toEqual(['Move to On hold', 'Move to Resolved']);
    await page.getByRole('menuitem', { name: 'Move to Resolved' }).click();
    const question = page.getByRole('dialog', { name: `Resolve ${id}` });
    await question.getByLabel('Resolution').fill('Replaced it.');
    await question.getByRole('button', { name: 'Resolve' }).click();
    await page.getByRole('switch', { name: 'Resolved' }).check({ force: true });
    await card(/^Resolved:/).waitFor();
    const { body } = await (await the.api('viewer')).get(`/incidents/${id}/history`);
    const states = body.data.flatMap(({ changes }: { changes: Fields }) => changes.state ?? []);
    expect(states.map(({ to }: { to: string }) => to)).toEqual(['new', 'in_progress', 'resolved']);
    expect(complaints).toEqual([]);
    const viewer = await the.signedIn('incidents/board', 'viewer');
    await viewer.page.getByRole('switch', { name: 'Resolved' }).check({ force: true });
    await viewer.page.getByText('Board card').waitFor();
    expect(await viewer.page.getByRole('button', { name: /^Move INC/ }).count()).toBe(0);
  });

  it('show problems beside the fields and keep the input, also after going back', async () => {
    const { page } = await the.signedIn('incidents');
    await page.getByRole('link', { name: 'Create incident' }).first().click();
    await page.getByRole('button', { name: 'Create incident' }).click();
    await page.getByText('Is required.', { exact: true }).waitFor();
    await page.getByLabel('Short description').fill('Badge reader');
    await page.getByLabel('Assigned to').fill('nobody');
    await page.getByRole('button', { name: 'Create incident' }).click();
    await page.getByText('Nobody with this address is in the directory.').first().waitFor();
    expect(await page.getByLabel('Short description').inputValue()).toBe('Badge reader');
    expect(page.url()).toBe(`${the.service.baseUrl}/console/incidents/new`);

    const form = page.url();
    page.once('dialog', (dialog) => dialog.dismiss());
    await page.evaluate('history.back()');
    await page.waitForURL(form);
    expect(await page.getByLabel('Short description').inputValue()).toBe('Badge reader');
    page.once('dialog', (dialog) => dialog.accept());
    await page.evaluate('history.back()');
    await page.getByRole('heading', { name: 'Incidents' }).waitFor();
  });

  it('accept people that the directory does not have where the installation allows them', async () => {
    const { page } = await the.signedIn('incidents', 'itsm_manager', {});
    await page.route('**/console/config.json', async (route) => {
      const config = await (await route.fetch()).json();
      await route.fulfill({ json: { ...config, unknown_people: 'allowed' } });
    });
    await page.goto(`${the.service.baseUrl}/console/incidents/new`);
    await page.getByLabel('Short description').fill('Contractor');
    await page.getByLabel('Assigned to').fill('contractor@acme.example');
    await page.getByRole('button', { name: 'Create incident' }).click();
    await page.getByText('Contractor', { exact: true }).first().waitFor();
    await page.waitForURL(/\/incidents\/INC/);
  });

  it('keep filters, order and page in the URL', async () => {
    await Promise.all(
      ['P1', 'P2', 'P4'].map((priority) => create({ short_description: `Shared ${priority}`, priority })),
    );
    const { page } = await the.signedIn('incidents?q=shared&priority=P1,P2&sort=priority&order=asc');
    await matches(page, '2 matches');
    expect(await page.getByRole('row', { name: /Shared/ }).allTextContents()).toEqual([
      expect.stringContaining('Shared P1'),
      expect.stringContaining('Shared P2'),
    ]);
    const first = page.getByRole('row', { name: /Shared/ }).first();
    await page.getByRole('columnheader', { name: 'Priority' }).getByRole('button').press('Enter');
    await first.getByText('Shared P2').waitFor();
    expect(new URL(page.url()).search).toBe('?priority=P1,P2&q=shared&order=desc');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByText('Shared P4').waitFor();
    await page.goBack();
    await matches(page, '2 matches');
    await first.getByText('Shared P2').waitFor();

    const box = first.getByRole('checkbox');
    await box.check({ force: true });
    await page.setViewportSize({ width: 1280, height: 180 });
    await page.evaluate('window.scrollTo(0, 60)');
    // The browser may move the page by some pixels while its content settles.
    const isScrolled = () => page.evaluate<boolean>('Math.abs(window.scrollY - 60) < 20');
    await becomes(isScrolled, true);
    await first.getByRole('link').first().dispatchEvent('click');
    await page.getByRole('heading', { name: 'Shared P2' }).waitFor();
    await page.goBack();
    await first.getByText('Shared P2').waitFor();
    expect(await box.isChecked()).toBe(true);
    await becomes(isScrolled, true);
  });

  it("show concurrent changes and apply the user's change on top", async () => {
    const { id } = await create({ short_description: 'Printer prints blank pages' });
    const { page } = await the.signedIn(`incidents/${id}/edit`);
    await page.getByLabel('Short description').fill('Printer on floor 3 prints blank pages');
    const manager = await the.api('manager');
    await manager.patch(`/incidents/${id}`, { short_description: 'Printer is broken', category: 'hardware' });
    await page.getByRole('button', { name: 'Save changes' }).click();
    const question = page.getByRole('dialog', { name: 'This incident was changed by someone else' });
    await question.getByText('Printer is broken').waitFor();
    await question.getByText('hardware').waitFor();
    await question.getByText(/Changed by .*manager/).waitFor();
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    expect(await page.getByLabel('Short description').inputValue()).toBe('Printer on floor 3 prints blank pages');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await question.getByRole('button', { name: 'Overwrite with my changes' }).click();
    await page.getByRole('heading', { name: 'Printer on floor 3 prints blank pages' }).waitFor();
    expect((await manager.get(`/incidents/${id}`)).body).toMatchObject({
      short_description: 'Printer on floor 3 prints blank pages',
      category: 'hardware',
    });
  });

  it('are updated in bulk, with a result for each', async () => {
    const made = await Promise.all(['one', 'two'].map((name) => create({ short_description: `Bulk ${name}` })));
    await (await the.api('manager')).patch(`/incidents/${made[1]!.id}`, { state: 'cancelled' });
    const { page, complaints } = await the.signedIn('incidents?q=bulk');
    for (const { id } of made) await page.getByRole('checkbox', { name: `Select ${id}` }).check({ force: true });
    await page.getByRole('button', { name: 'Update selected' }).click();
    const form = page.getByRole('dialog', { name: 'Update 2 incidents' });
    await form.getByLabel('State').click();
    await page.getByRole('option', { name: /In progress/ }).click();
    await form.getByText('1 of the selected incidents cannot move').waitFor();
    await form.getByRole('button', { name: 'Update', exact: true }).click();
    await page.getByRole('link', { name: 'View errors' }).click();
    await page.getByRole('heading', { name: 'Update incidents' }).waitFor();
    await page.getByText('Completed with errors').waitFor();
    const failed = page.getByRole('row', { name: new RegExp(`${made[1]!.id}.*Failed`) });
    await failed.waitFor();
    expect(await failed.innerText()).toMatch(/Cancelled.*In progress/s);
    expect(await failed.innerText()).not.toContain('in_progress');
    await page.getByRole('link', { name: made[0]!.id }).click();
    await page.getByRole('button', { name: 'Resolve' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('do not move the details while the SLA is loading', async () => {
    const { id } = await create({ short_description: 'Stable page' });
    const { page } = await the.signedIn('incidents?q=stable');
    await page.getByRole('link', { name: id }).waitFor();
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/sla*', async (route) => {
      await held;
      await route.continue();
    });
    await page.getByRole('link', { name: id }).click();
    const edit = page.getByRole('button', { name: 'Edit priority' });
    await edit.waitFor();
    const before = await edit.boundingBox();
    release();
    await page
      .getByText(/^23 h 5\d min left$/)
      .last()
      .waitFor();
    expect(await edit.boundingBox()).toEqual(before);
    // A click on the place, not on the button: it must not miss.
    await page.mouse.click((before?.x ?? 0) + 5, (before?.y ?? 0) + 5);
    await page.getByRole('form', { name: 'Edit priority' }).waitFor();
  });

  it('offer a viewer no write actions', async () => {
    const { id } = await create({ short_description: 'Looked at by a viewer' });
    const { page, complaints } = await the.signedIn('incidents?q=viewer', 'viewer');
    await matches(page, '1 match');
    expect(await page.getByRole('link', { name: 'Create incident' }).count()).toBe(0);
    expect(await page.getByRole('checkbox').count()).toBe(0);
    await page.getByRole('link', { name: id }).click();
    await page.getByText(/^23 h 5\d min left$/).waitFor();
    expect(await page.getByRole('button', { name: /Edit|Start work|Add note|Cancel incident/ }).count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('are deleted by a manager, who can still view them', async () => {
    const { id } = await create({ short_description: 'Opened by mistake' });
    const { page } = await the.signedIn(`incidents/${id}`);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete…' }).click();
    await page
      .getByRole('dialog', { name: `Delete ${id}?` })
      .getByRole('button', { name: 'Delete' })
      .click();
    await page.getByText(`${id} was deleted.`).first().waitFor();
    await the.signedIn(`incidents/${id}`);
    await page.getByRole('button', { name: 'Show deleted incident' }).click();
    await page.getByText('This incident was deleted and is retained for audit.').waitFor();
    expect(await page.getByRole('button', { name: 'Start work' }).count()).toBe(0);
  });

  it('fit a screen of 320 pixels and can be reached with the keyboard', async () => {
    await create({
      short_description: `Narrow ${'x'.repeat(200)}`,
      assigned_to: `${'y'.repeat(60)}@example.com`,
    });
    const { page } = await the.signedIn('incidents?q=narrow', 'itsm_agent');
    await page.setViewportSize({ width: 320, height: 640 });
    await page.getByRole('link', { name: /Narrow/ }).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    await page.getByRole('combobox', { name: 'Filter incidents' }).waitFor();
    await page.evaluate('document.activeElement.blur()');
    await page.keyboard.press('/');
    expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('Filter incidents');
    // The filter opens its suggestions over the list.
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: /Narrow/ }).click();
    await page.getByText(/^23 h 5\d min left$/).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    await page.setViewportSize({ width: 390, height: 844 });
    const tops = ['Start work', 'More actions'].map((name) => page.getByRole('button', { name }).boundingBox());
    const [start, more] = await Promise.all(tops);
    expect(Math.abs((start?.y ?? 0) - (more?.y ?? 99))).toBeLessThan(10);
    await page.setViewportSize({ width: 320, height: 640 });
    await page.goBack();
    await page
      .getByRole('link', { name: /Narrow/ })
      .first()
      .waitFor();
    await page.keyboard.press('n');
    await page.getByLabel('Short description').waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
  });

  it('count down by the clock of the service', async () => {
    const { id } = await create({ short_description: 'Countdown', priority: 'P1' });
    const { page } = await the.signedIn(`incidents?q=countdown`);
    const row = page.getByRole('row', { name: new RegExp(id) });
    // Just created, it may still have all of its time.
    await row.getByText(/^(4 h|3 h 5\d min)$/).waitFor();
    await the.service.advance('3h30m', []);
    await page.getByRole('button', { name: 'Refresh list' }).click();
    await row.getByText(/^2\d min$|^30 min$/).waitFor();
    await the.service.advance('1h', []);
    await page.getByRole('button', { name: 'Refresh list' }).click();
    await row.getByText(/^Breached (29|30|31) min ago$/).waitFor();
    await page.getByRole('link', { name: id }).click();
    await page.getByText(/^Breached by (29|30|31) min$/).waitFor();
  });

  it('keep notices visible, durations on one line, and P1 prominent in both themes', async () => {
    const fillers = Array.from({ length: 26 }, (_, index) => ({
      short_description: `Filler ${index}`,
      priority: 'P1',
    }));
    await Promise.all(fillers.map(create));
    await the.service.advance('8h13m', []);
    const tab = await the.signedIn('incidents?q=filler&priority=P1');
    const { page } = tab;
    await page.setViewportSize({ width: 760, height: 600 });
    await page.getByRole('button', { name: 'Use dark theme' }).click();
    const breached = page.getByText('Breached 4 h ago').first();
    await breached.waitFor();
    expect(await breached.evaluate((element) => Reflect.get(element, 'getClientRects').call(element).length)).toBe(1);
    const readColor = () => page.getByText('P1', { exact: true }).last().evaluate(readBackground);
    const dark = await readColor();
    await page.getByRole('button', { name: 'Use light theme' }).click();
    expect(await readColor()).toBe(dark);
    expect(dark).toBe('rgb(200, 16, 46)');
    await page.getByRole('checkbox', { name: 'Select all that are loaded' }).check({ force: true });
    await page.getByRole('button', { name: 'Update selected' }).click();
    const form = page.getByRole('dialog', { name: 'Update 26 incidents' });
    await form.getByLabel('Work note').fill('Checked.');
    await page.evaluate('scrollTo(0, document.body.scrollHeight)');
    await form.getByRole('button', { name: 'Update', exact: true }).click();
    const notice = page.getByText(/were updated/).first();
    await notice.waitFor();
    const { y } = (await notice.boundingBox()) ?? { y: -1 };
    expect(y).toBeGreaterThan(0);
    expect(y).toBeLessThan(600);

    await page.setViewportSize({ width: 320, height: 600 });
    await the.move(tab, 'incidents/board');
    await page.getByRole('link', { name: /^View all \d+ New$/ }).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
  });
});

const readBackground = (element: object) => Reflect.get(globalThis, 'getComputedStyle')(element).backgroundColor;

async function search(page: Page, words: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Filter incidents' }).fill(words);
  await page.keyboard.press('Enter');
}

/** The text stands there twice, once for screen readers. */
async function matches(page: Page, count: string): Promise<void> {
  await page.getByText(count, { exact: true }).first().waitFor();
}

async function changesIn(history: ReturnType<Page['getByRole']>): Promise<string[]> {
  return (await history.locator('.changes > li').allTextContents()).map((text) => text.trim());
}
