import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import ButtonDropdown, { type ButtonDropdownProps } from '@cloudscape-design/components/button-dropdown';
import Checkbox from '@cloudscape-design/components/checkbox';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../base/api.ts';
import { type Preferences, type SavedView, usePreferences } from '../base/preferences.ts';
import { changeQuery, currentAddress, toUrl } from '../base/router.ts';
import { DecisionModal } from '../ui/modals.tsx';
import { notify } from '../ui/notices.ts';
import { ProblemView } from '../ui/problem-view.tsx';
import { useAction } from '../ui/use-action.ts';

// Views of a list that a person saved. They are stored by the service, so they follow the person to other browsers.

interface SavedViewsProps {
  list: SavedView['list'];
  /** The current filters, sort and order. */
  query: string;
}

/** Pinned views as buttons, and a menu to open, save, share and delete views. */
export function SavedViews({ list, query }: SavedViewsProps) {
  const { client } = useApi();
  const queries = useQueryClient();
  const { data } = usePreferences();
  const [saving, setSaving] = useState(false);
  const action = useAction();
  const views = data?.views.filter((view) => view.list === list) ?? [];
  const current = views.find((view) => view.query === query);
  const change = async (apply: (views: Preferences['views']) => Preferences['views']) => {
    // Another tab may have saved a view meanwhile.
    const { views: latest } = await client.getPreferences({});
    const after = await client.updatePreferences({ views: apply(latest) });
    queries.setQueryData(['preferences'], after);
  };
  const isOther = (view: SavedView) => view.list !== list || view.name !== current?.name;
  const choose = ({ detail }: { detail: ButtonDropdownProps.ItemClickDetails }) => {
    const chosen = views.find(({ name }) => detail.id === `view ${name}`);
    if (chosen) changeQuery(chosen.query);
    if (detail.id === 'save') setSaving(true);
    if (detail.id === 'share') void share();
    if (detail.id === 'delete') void action.run(() => change((all) => all.filter(isOther)));
    if (detail.id === 'pin') {
      void action.run(() =>
        change((all) => all.map((view) => (isOther(view) ? view : { ...view, pinned: !view.pinned }))),
      );
    }
  };
  return (
    <SpaceBetween direction="horizontal" size="xs" alignItems="center">
      {views
        .filter(({ pinned }) => pinned)
        .map((view) => (
          <Button
            key={view.name}
            iconName="star-filled"
            ariaLabel={`Pinned view: ${view.name}`}
            {...(view === current ? { variant: 'primary' as const } : {})}
            onClick={() => changeQuery(view.query)}
          >
            {view.name}
          </Button>
        ))}
      <ButtonDropdown
        loading={action.busy}
        expandToViewport
        items={[
          ...(views.length === 0
            ? []
            : [{ text: 'Your views', items: views.map(({ name }) => ({ id: `view ${name}`, text: name })) }]),
          { id: 'save', text: 'Save this view…' },
          { id: 'share', text: 'Copy link to this view' },
          {
            id: 'pin',
            text: current?.pinned ? `Unpin “${current.name}”` : `Pin ${current ? `“${current.name}”` : 'view'}`,
            disabled: !current,
          },
          { id: 'delete', text: `Delete ${current ? `“${current.name}”` : 'view'}`, disabled: !current },
        ]}
        onItemClick={choose}
      >
        {current?.name ?? 'Saved views'}
      </ButtonDropdown>
      {action.problem !== undefined && <ProblemView problem={action.problem} />}
      {saving && (
        <SaveView
          names={views.map(({ name }) => name)}
          onClose={() => setSaving(false)}
          onSave={(name, pinned) =>
            change((all) => [
              ...all.filter((view) => view.list !== list || view.name !== name),
              { list, name, query, pinned },
            ])
          }
        />
      )}
    </SpaceBetween>
  );
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

interface SaveViewProps {
  names: readonly string[];
  onSave(name: string, pinned: boolean): Promise<void>;
  onClose(): void;
}

const maxNameLength = 60;

function SaveView({ names, onSave, onClose }: SaveViewProps) {
  const [name, setName] = useState('');
  const [pinned, setPinned] = useState(true);
  const action = useAction();
  const text = name.trim();
  const isTooLong = [...text].length > maxNameLength;
  return (
    <DecisionModal
      title="Save view"
      dismissText="Cancel"
      onDismiss={onClose}
      confirmText="Save"
      onConfirm={() =>
        action.run(async () => {
          await onSave(text, pinned);
          onClose();
        })
      }
      busy={action.busy}
      disabled={text === '' || isTooLong}
    >
      {action.problem !== undefined && <ProblemView problem={action.problem} />}
      <FormField label="Name" stretch {...(isTooLong ? { errorText: `At most ${maxNameLength} characters.` } : {})}>
        <Input value={name} onChange={({ detail }) => setName(detail.value)} />
      </FormField>
      <Checkbox checked={pinned} onChange={({ detail }) => setPinned(detail.checked)}>
        Pin above the list
      </Checkbox>
      {names.includes(text) && <Box color="text-body-secondary">Replaces your view of this name.</Box>}
    </DecisionModal>
  );
}
