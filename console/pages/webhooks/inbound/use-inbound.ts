import { useCallback } from 'react';
import { useApi } from '../../../api.ts';
import { type Loaded, useLoad } from '../../../use-load.ts';
import type { WebhookVersion } from '../parts/webhook-version.ts';
import type { InboundWebhook } from '../webhook-words.ts';

export type InboundVersion = WebhookVersion<InboundWebhook>;

export function useInbound(id: string): Loaded<InboundVersion> {
  const { client } = useApi();
  const load = useCallback(
    async (signal: AbortSignal) => {
      const { data, etag } = await client.getInboundWebhook.withResponse({ id }, { signal });
      return { webhook: data as InboundWebhook, etag };
    },
    [client, id],
  );
  return useLoad(load);
}
