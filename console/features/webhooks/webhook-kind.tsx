import type { ReactNode } from 'react';
import type { ServiceClient } from '../../../client/index.ts';
import { useApi } from '../../base/api.ts';
import { useHasRole } from '../../base/caller.tsx';
import { collectPages, type Page, type PageRequest } from '../../base/paging.ts';
import { changeQuery, useQueryString } from '../../base/router.ts';
import { type Loaded, useLoad } from '../../base/use-load.ts';
import { ageColumn, linkColumn, personColumn } from '../../records/columns.tsx';
import type { RecordColumn } from '../../records/record-table.tsx';
import { Stack, Tabs } from '../../ui/kit/index.ts';
import { nameRecord } from '../../ui/record-names.ts';
import {
  CreateWebhookPage,
  EditWebhookPage,
  type SavedWebhook,
  type WebhookForms,
  type WebhookVersion,
} from './webhook-form.tsx';
import {
  ActiveLabel,
  FreshSecret,
  ManagersOnly,
  storeSecret,
  WebhookHeader,
  WebhookList,
  WebhookShell,
} from './webhook-page.tsx';

interface Webhook {
  id: string;
  name: string;
  active: boolean;
  created_by: string;
  created_at: string;
}

type Options = { signal?: AbortSignal; ifMatch?: string; idempotencyKey?: string };

/** The requests of one kind of webhook. */
interface WebhookRequests<Item, Draft> {
  list(page: PageRequest, options: Options): Promise<Page<Item>>;
  get(id: string, options: Options): Promise<{ data: unknown; etag?: string | undefined }>;
  create(draft: Draft, options: Options): Promise<SavedWebhook>;
  update(draft: Draft, webhook: Item, options: Options): Promise<SavedWebhook>;
  setActive(id: string, active: boolean): Promise<unknown>;
  rotateSecret(id: string): Promise<{ secret?: string | undefined }>;
  remove(id: string, options: Options): Promise<unknown>;
}

/** What differs between inbound and outbound webhooks. */
export interface WebhookKind<Item extends Webhook, Draft> {
  direction: 'inbound' | 'outbound';
  listPath: string;
  forms: WebhookForms<Draft>;
  emptyDraft: Draft;
  toDraft(webhook: Item): Draft;
  toRequests(client: ServiceClient): WebhookRequests<Item, Draft>;
  /** Between the name and the status. */
  columns: readonly RecordColumn<Item>[];
  isSigned(webhook: Item): boolean;
  describe(webhook: Item): ReactNode;
  /** Actions besides the common ones, by the texts of their buttons. */
  toActions?(client: ServiceClient, webhook: Item): Readonly<Record<string, () => Promise<void>>>;
  /** Above the tabs. */
  Notice?(props: { webhook: Item }): ReactNode;
  toTabs(webhook: Item): readonly { id: string; label: string; content: ReactNode }[];
  texts: {
    list: string;
    /** Shown when there are no webhooks. */
    invitation: string;
    create: string;
    secret: string;
    /** The consequences of deleting it. */
    deletion: string;
  };
}

/** The pages of one kind of webhook. */
export function createWebhookPages<Item extends Webhook, Draft>(kind: WebhookKind<Item, Draft>) {
  const { direction, listPath, forms, texts, toDraft, isSigned, Notice } = kind;
  const useRequests = () => kind.toRequests(useApi().client);
  const useWebhook = (id: string): Loaded<WebhookVersion<Item>> => {
    const requests = useRequests();
    return useLoad(['webhooks', id], async (signal) => {
      const { data, etag } = await requests.get(id, { signal });
      const webhook = data as Item;
      nameRecord(id, webhook.name);
      return { webhook, etag };
    });
  };
  const columns: readonly RecordColumn<Item>[] = [
    linkColumn('name', 'Name', forms.toPagePath),
    ...kind.columns,
    { id: 'active', header: 'Status', cell: ({ active }) => <ActiveLabel active={active} /> },
    { id: 'signed', header: 'Signed', cell: (webhook) => (isSigned(webhook) ? 'Yes' : 'No') },
    personColumn('created_by', 'Created by'),
    ageColumn('created_at', 'Created'),
  ];

  function ListPage() {
    const requests = useRequests();
    const list = useLoad(['webhooks', direction], (signal) => collectPages((page) => requests.list(page, { signal })), {
      enabled: useHasRole('itsm_manager'),
    });
    const title = `${direction === 'inbound' ? 'Inbound' : 'Outbound'} webhooks`;
    return (
      <ManagersOnly title={title}>
        <WebhookList
          title={title}
          description={texts.list}
          invitation={texts.invitation}
          createText={`Create ${direction} webhook`}
          createTo={`${listPath}/new`}
          list={list}
          columns={columns}
        />
      </ManagersOnly>
    );
  }

  function OnePage({ id }: { id: string }) {
    const loaded = useWebhook(id);
    const tab = new URLSearchParams(useQueryString()).get('tab');
    return (
      <WebhookShell loaded={loaded} title={`${direction === 'inbound' ? 'Inbound' : 'Outbound'} webhook`}>
        {(version) => (
          <Stack>
            <PageHeader version={version} onChanged={loaded.reload} />
            <FreshSecret id={id} what={texts.secret} />
            {Notice && <Notice webhook={version.webhook} />}
            <WebhookTabs chosen={tab} tabs={kind.toTabs(version.webhook)} />
          </Stack>
        )}
      </WebhookShell>
    );
  }

  function PageHeader({ version, onChanged }: { version: WebhookVersion<Item>; onChanged(): void }) {
    const { client } = useApi();
    const requests = kind.toRequests(client);
    const { webhook } = version;
    const { id, active } = webhook;
    const rotate = async () => {
      storeSecret(id, (await requests.rotateSecret(id)).secret);
      onChanged();
    };
    const toggle = async () => {
      await requests.setActive(id, !active);
      onChanged();
    };
    return (
      <WebhookHeader
        name={webhook.name}
        description={kind.describe(webhook)}
        actions={{
          ...kind.toActions?.(client, webhook),
          [active ? 'Deactivate' : 'Activate']: toggle,
          ...(isSigned(webhook) && { 'Rotate secret': rotate }),
        }}
        editTo={`${forms.toPagePath(id)}/edit`}
        listTo={listPath}
        remove={() => requests.remove(id, toIfMatch(version))}
        warning={texts.deletion}
      />
    );
  }

  function CreatePage() {
    const requests = useRequests();
    return (
      <CreateWebhookPage
        forms={forms}
        title={`Create ${direction} webhook`}
        description={texts.create}
        emptyDraft={kind.emptyDraft}
        listPath={listPath}
        create={(draft, key) => requests.create(draft, { idempotencyKey: key })}
      />
    );
  }

  function EditPage({ id }: { id: string }) {
    const requests = useRequests();
    return (
      <EditWebhookPage
        forms={forms}
        loaded={useWebhook(id)}
        title={`Edit ${direction} webhook`}
        toDraft={toDraft}
        update={(draft, version) => requests.update(draft, version.webhook, toIfMatch(version))}
      />
    );
  }

  return { ListPage, OnePage, CreatePage, EditPage };
}

/** The address names the tab. */
function WebhookTabs({
  chosen,
  tabs,
}: {
  chosen: string | null;
  tabs: ReturnType<WebhookKind<Webhook, never>['toTabs']>;
}) {
  const active = tabs.find(({ id }) => id === chosen) ?? tabs[0];
  if (!active) return null;
  const show = (id: string) => changeQuery(id === tabs[0]?.id ? '' : `tab=${id}`);
  return <Tabs active={active.id} ariaLabel="Webhook" onChange={show} tabs={tabs} />;
}

/** Applies a change only to the version that was shown. */
function toIfMatch({ etag }: WebhookVersion<unknown>): { ifMatch?: string } {
  return etag ? { ifMatch: etag } : {};
}
