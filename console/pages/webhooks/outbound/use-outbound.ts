import { useCallback } from 'react';
import { useApi } from '../../../api.ts';
import { type Loaded, useLoad } from '../../../use-load.ts';
import type { WebhookVersion } from '../parts/webhook-version.ts';
import type { OutboundWebhook } from '../webhook-words.ts';

export type OutboundVersion = WebhookVersion<OutboundWebhook>;

export function useOutbound(id: string): Loaded<OutboundVersion> {
  const { client } = useApi();
  const load = useCallback(
    async (signal: AbortSignal) => {
      const { data, etag } = await client.getOutboundWebhook.withResponse({ id }, { signal });
      return { webhook: data as OutboundWebhook, etag };
    },
    [client, id],
  );
  return useLoad(load);
}
