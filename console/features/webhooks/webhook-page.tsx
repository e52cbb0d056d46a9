import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import type { TableProps } from '@cloudscape-design/components/table';
import { type ReactNode, useState } from 'react';
import type { Collected } from '../../base/paging.ts';
import { navigate } from '../../base/router.ts';
import { createStore, useStore } from '../../base/store.ts';
import type { Loaded } from '../../base/use-load.ts';
import { RequireRole } from '../../records/require-role.tsx';
import { WholeList } from '../../records/tables.tsx';
import { PageLayout } from '../../ui/layouts.tsx';
import { PageButton } from '../../ui/links.tsx';
import { DecisionModal } from '../../ui/modals.tsx';
import { notify } from '../../ui/notices.ts';
import { FactsSkeleton } from '../../ui/panels.tsx';
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
  const { data, problem, reload } = loaded;
  if (data) return children(data);
  return (
    <PageLayout title={title}>
      {problem === undefined ? (
        <Container>
          <FactsSkeleton facts={5} label="Loading webhook" />
        </Container>
      ) : (
        <ProblemView problem={problem} onRetry={reload} />
      )}
    </PageLayout>
  );
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
    <SpaceBetween size="m">
      <Header
        variant="h1"
        description={props.description}
        actions={
          <SpaceBetween direction="horizontal" size="xs">
            {Object.entries(props.actions).map(([text, work]) => (
              <Button key={text} disabled={action.busy} onClick={() => action.run(work)}>
                {text}
              </Button>
            ))}
            <Button onClick={() => setDeleting(true)}>Delete</Button>
            <PageButton to={props.editTo} variant="primary">
              Edit
            </PageButton>
          </SpaceBetween>
        }
      >
        {props.name}
      </Header>
      {action.problem !== undefined && <ProblemView problem={action.problem} />}
      {deleting && (
        <DeleteWebhookModal
          name={props.name}
          to={props.listTo}
          remove={props.remove}
          onClose={() => setDeleting(false)}
        >
          {props.warning}
        </DeleteWebhookModal>
      )}
    </SpaceBetween>
  );
}

interface DeleteWebhookModalProps {
  name: string;
  children: ReactNode;
  remove(): Promise<unknown>;
  /** The page to open after the deletion. */
  to: string;
  onClose(): void;
}

export function DeleteWebhookModal({ name, children, remove, to, onClose }: DeleteWebhookModalProps) {
  const action = useAction();
  const confirm = () =>
    action.run(async () => {
      await remove();
      notify({ type: 'success', content: `${name} was deleted.` });
      navigate(to);
    });
  return (
    <DecisionModal
      title={`Delete ${name}?`}
      dismissText="Cancel"
      onDismiss={onClose}
      confirmText="Delete"
      onConfirm={confirm}
      busy={action.busy}
    >
      {action.problem !== undefined && <ProblemView problem={action.problem} />}
      <Box>{children}</Box>
    </DecisionModal>
  );
}

interface WebhookListProps<Webhook> {
  title: string;
  description: string;
  list: Loaded<Collected<Webhook>>;
  columns: readonly TableProps.ColumnDefinition<Webhook>[];
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
        <PageButton to={createTo} variant="primary">
          {createText}
        </PageButton>
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
    <Alert
      type="warning"
      header="Copy your secret"
      dismissible
      dismissAriaLabel="Dismiss"
      onDismiss={() => fresh.set(undefined)}
    >
      <SpaceBetween size="xs">
        <Box>{what} You cannot view it again.</Box>
        <span className="wrapping" data-testid="secret">
          <CopyToClipboard
            variant="inline"
            copyButtonAriaLabel="Copy secret"
            copySuccessText="Copied"
            copyErrorText="Could not copy"
            textToCopy={secret}
          />
        </span>
      </SpaceBetween>
    </Alert>
  );
}

export function ActiveLabel({ active }: { active: boolean }) {
  return (
    <StatusIndicator wrapText={false} type={active ? 'success' : 'stopped'}>
      {active ? 'Active' : 'Inactive'}
    </StatusIndicator>
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
