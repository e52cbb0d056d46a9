import { type ReactNode, useState } from 'react';
import type { Collected } from '../../base/paging.ts';
import { createStore, useStore } from '../../base/store.ts';
import type { Loaded } from '../../base/use-load.ts';
import { RequireRole } from '../../records/require-role.tsx';
import { WholeList } from '../../records/tables.tsx';
import { Alert, Box, Button, type Column, CopyButton, Header, Row, Stack, Status } from '../../ui/kit/index.ts';
import { DeleteModal } from '../../ui/modals.tsx';
import { PendingPage } from '../../ui/problem-page.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { useAction } from '../../ui/use-action.ts';

interface WebhookShellProps<Version> {
  loaded: Loaded<Version>;
  /** The title while the webhook loads. */
  title: string;
  children(version: Version): ReactNode;
}

/** Shows a placeholder or a problem until the webhook is loaded. */
export function WebhookShell<Version>({ loaded, title, children }: WebhookShellProps<Version>) {
  if (loaded.data) return children(loaded.data);
  return <PendingPage title={title} thing="webhook" loaded={loaded} />;
}

interface WebhookHeaderProps {
  name: string;
  description: ReactNode;
  /** The actions, by the texts of their buttons. */
  actions: Readonly<Record<string, () => Promise<void>>>;
  editTo: string;
  listTo: string;
  remove(): Promise<unknown>;
  /** The consequences of deleting it. */
  warning: string;
}

export function WebhookHeader(props: WebhookHeaderProps) {
  const [deleting, setDeleting] = useState(false);
  const action = useAction();
  return (
    <Stack gap="m">
      <Header
        variant="h1"
        description={props.description}
        actions={
          <Row>
            {Object.entries(props.actions).map(([text, work]) => (
              <Button key={text} disabled={action.busy} onClick={() => action.run(work)}>
                {text}
              </Button>
            ))}
            <Button onClick={() => setDeleting(true)}>Delete</Button>
            <Button to={props.editTo} variant="primary">
              Edit
            </Button>
          </Row>
        }
      >
        {props.name}
      </Header>
      {action.problem !== undefined && <ProblemView problem={action.problem} />}
      {deleting && (
        <DeleteModal name={props.name} remove={props.remove} listTo={props.listTo} onClose={() => setDeleting(false)}>
          {props.warning}
        </DeleteModal>
      )}
    </Stack>
  );
}

interface WebhookListProps<Webhook> {
  title: string;
  description: string;
  list: Loaded<Collected<Webhook>>;
  columns: readonly Column<Webhook>[];
  createText: string;
  createTo: string;
  /** Shown when there are no webhooks. */
  invitation: string;
}

/** All webhooks of one direction. */
export function WebhookList<Webhook extends { id: string }>(props: WebhookListProps<Webhook>) {
  const { createTo, createText, ...rest } = props;
  return (
    <WholeList
      {...rest}
      things="webhooks"
      trackBy="id"
      actions={
        <Button to={createTo} variant="primary">
          {createText}
        </Button>
      }
    />
  );
}

// The page of a webhook shows a new secret once. The secret exists only in memory: after a reload or a dismissal the user
// must rotate it to see a new one.

const fresh = createStore<{ id: string; secret: string } | undefined>(undefined);

export function storeSecret(id: string, secret: string | undefined): void {
  if (secret !== undefined) fresh.set({ id, secret });
}

/** The secret that the page of this webhook shows now. */
export function useFreshSecret(id: string): string | undefined {
  const shown = useStore(fresh);
  return shown?.id === id ? shown.secret : undefined;
}

export function FreshSecret({ id, what }: { id: string; what: string }) {
  const secret = useFreshSecret(id);
  if (secret === undefined) return null;
  return (
    <Alert type="warning" header="Copy your secret" onDismiss={() => fresh.set(undefined)}>
      <Stack gap="xs">
        <Box>{what} You cannot view it again.</Box>
        <span className="wrapping" data-testid="secret">
          <CopyButton isValueShown label="Copy secret" value={secret} />
        </span>
      </Stack>
    </Alert>
  );
}

export function ActiveLabel({ active }: { active: boolean }) {
  return (
    <Status unbroken type={active ? 'success' : 'stopped'}>
      {active ? 'Active' : 'Inactive'}
    </Status>
  );
}

/** Webhooks need the Manager role; the service rejects everyone else. */
export function ManagersOnly({ title, children }: { title?: string; children: ReactNode }) {
  return (
    <RequireRole minRole="itsm_manager" action="manage webhooks" {...(title === undefined ? {} : { title })}>
      {children}
    </RequireRole>
  );
}
