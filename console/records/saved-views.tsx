import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../base/api.ts';
import { useHasRole } from '../base/caller.tsx';
import { type SavedView, usePreferences, useSharedViews } from '../base/preferences.ts';
import { changeQuery, currentAddress, toUrl } from '../base/router.ts';
import { Box, Checkbox, FormField, Input, Menu } from '../ui/kit/index.ts';
import { ActionModal } from '../ui/modals.tsx';
import { notify } from '../ui/notices.ts';
import { ProblemView } from '../ui/problem-view.tsx';
import { useAction } from '../ui/use-action.ts';

// Views of a list that a person saved for themselves, or a manager for everyone. They are stored by the service, so they
// follow the person to other browsers.

interface View extends SavedView {
  isShared: boolean;
}

interface SavedViewsProps {
  list: SavedView['list'];
  /** The current filters, sort and order. */
  query: string;
}

/** Pinned views as buttons, and a menu to open, save, update, rename, share and delete views. */
export function SavedViews({ list, query }: SavedViewsProps) {
  const { views, change } = useViews(list);
  const isManager = useHasRole('itsm_manager');
  const [editing, setEditing] = useState<View | 'new'>();
  const [openedKey, setOpenedKey] = useState('');
  const action = useAction();
  const current = views.find((view) => view.query === query) ?? views.find((view) => toKey(view) === openedKey);
  const editable = current && (isManager || !current.isShared) ? current : undefined;
  const open = (view: View) => {
    setOpenedKey(toKey(view));
    changeQuery(view.query);
  };
  const choose = (id: string) => {
    const chosen = views.find((view) => id === toKey(view));
    if (chosen) open(chosen);
    if (id === 'save') setEditing('new');
    if (id === 'share') void share();
    if (!editable) return;
    if (id === 'edit') setEditing(editable);
    if (id === 'update') void action.run(() => change(editable, { ...editable, query }));
    if (id === 'delete') void action.run(() => change(editable));
  };
  const toItems = (isShared: boolean) =>
    views.filter((view) => view.isShared === isShared).map((view) => ({ id: toKey(view), text: view.name }));
  const name = editable ? `“${editable.name}”` : 'view';
  return (
    <>
      <fieldset className="views views-pinned" aria-label="Pinned views">
        {views
          .filter(({ pinned }) => pinned)
          .map((view) => (
            <button
              key={toKey(view)}
              type="button"
              aria-label={`Pinned view: ${view.name}`}
              aria-pressed={view.query === query}
              onClick={() => open(view)}
            >
              {view.name}
            </button>
          ))}
      </fieldset>
      <Menu
        icon="star"
        ariaLabel="Saved views"
        loading={action.busy}
        items={[
          ...[
            { text: 'Your views', items: toItems(false) },
            { text: 'Team views', items: toItems(true) },
          ].filter(({ items }) => items.length > 0),
          { id: 'save', text: 'Save this view…' },
          { id: 'update', text: `Update ${name} to this`, disabled: !editable || editable.query === query },
          { id: 'edit', text: `Rename, pin or share ${name}…`, disabled: !editable },
          { id: 'delete', text: `Delete ${name}`, disabled: !editable },
          { id: 'share', text: 'Copy link to this view' },
        ]}
        onChoose={choose}
      />
      {action.problem !== undefined && <ProblemView problem={action.problem} />}
      {editing && (
        <EditView
          view={editing === 'new' ? { list, query, name: '', pinned: true, isShared: false } : editing}
          taken={views}
          canShare={isManager}
          onClose={() => setEditing(undefined)}
          onSave={(view) => change(editing === 'new' ? undefined : editing, view)}
        />
      )}
    </>
  );
}

const toKey = ({ isShared, name }: View) => `${isShared ? 'team' : 'own'} view ${name}`;

function useViews(list: SavedView['list']) {
  const { client } = useApi();
  const queries = useQueryClient();
  const own = usePreferences().data?.views ?? [];
  const shared = useSharedViews().data?.views ?? [];
  const views: View[] = [
    ...own.map((view) => ({ ...view, isShared: false })),
    ...shared.map((view) => ({ ...view, isShared: true })),
  ];
  /** Somebody may have changed the views meanwhile, so the change applies to the latest ones. */
  const changeStored = async (isShared: boolean, removed: View | undefined, added: View | undefined) => {
    const read = isShared ? client.getSharedViews : client.getPreferences;
    const write = isShared ? client.updateSharedViews : client.updatePreferences;
    const { data, etag } = await read.withResponse({});
    const names = [removed, added].map((view) => view?.name);
    const kept = (data?.views ?? []).filter((view) => view.list !== list || !names.includes(view.name));
    const { isShared: _, ...stored } = added ?? { isShared };
    const after = await write({ views: added ? [...kept, stored as SavedView] : kept }, etag ? { ifMatch: etag } : {});
    queries.setQueryData([isShared ? 'views' : 'preferences'], after);
  };
  /** Without a view after the change, it is deleted; without one before, it is new. */
  const change = async (before: View | undefined, after?: View) => {
    const isMoved = before && after && before.isShared !== after.isShared;
    if (after) await changeStored(after.isShared, isMoved ? undefined : before, after);
    if (before && (isMoved || !after)) await changeStored(before.isShared, before, undefined);
  };
  return { views: views.filter((view) => view.list === list), change };
}

async function share(): Promise<void> {
  const link = toUrl(currentAddress());
  try {
    await navigator.clipboard.writeText(link);
    notify({ type: 'success', content: 'Copied the link to this view.' });
  } catch {
    notify({ type: 'info', header: 'Link to this view', content: link });
  }
}

interface EditViewProps {
  view: View;
  taken: readonly View[];
  canShare: boolean;
  onSave(view: View): Promise<void>;
  onClose(): void;
}

const maxNameLength = 60;

function EditView({ view, taken, canShare, onSave, onClose }: EditViewProps) {
  const [edited, setEdited] = useState(view);
  const name = edited.name.trim();
  const isTooLong = [...name].length > maxNameLength;
  const isTaken = taken.some((other) => toKey(other) === toKey({ ...edited, name }) && toKey(other) !== toKey(view));
  return (
    <ActionModal
      title={view.name === '' ? 'Save view' : 'Edit view'}
      confirmText="Save"
      disabled={name === '' || isTooLong}
      run={() => onSave({ ...edited, name })}
      onClose={onClose}
    >
      <FormField label="Name" stretch errorText={isTooLong ? `At most ${maxNameLength} characters.` : undefined}>
        <Input value={edited.name} onChange={(name) => setEdited({ ...edited, name })} />
      </FormField>
      <Checkbox checked={edited.pinned} onChange={(pinned) => setEdited({ ...edited, pinned })}>
        Pin above the list
      </Checkbox>
      {canShare && (
        <Checkbox
          checked={edited.isShared}
          description="Everyone sees it in the navigation, with the number of its records."
          onChange={(isShared) => setEdited({ ...edited, isShared })}
        >
          Share with everyone
        </Checkbox>
      )}
      {isTaken && <Box muted>Replaces the view of this name.</Box>}
    </ActionModal>
  );
}
