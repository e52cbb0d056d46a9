import type { TableProps } from '@cloudscape-design/components/table';
import { PageButton } from '../../../components/page-button.tsx';
import type { Collected } from '../../../pages-of.ts';
import { WholeList } from '../../../records/whole-list.tsx';
import { useLoad } from '../../../use-load.ts';

interface WebhookListProps<Webhook> {
  title: string;
  description: string;
  load(signal: AbortSignal): Promise<Collected<Webhook>>;
  columns: readonly TableProps.ColumnDefinition<Webhook>[];
  createText: string;
  createTo: string;
  /** Why one would create the first. */
  invitation: string;
}

/** All webhooks of one direction. */
export function WebhookList<Webhook extends { id: string }>(props: WebhookListProps<Webhook>) {
  const { load, createTo, createText, ...rest } = props;
  return (
    <WholeList
      {...rest}
      things="webhooks"
      trackBy="id"
      list={useLoad(load)}
      actions={
        <PageButton to={createTo} variant="primary">
          {createText}
        </PageButton>
      }
    />
  );
}
