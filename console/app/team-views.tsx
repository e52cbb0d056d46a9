import type { ServiceClient } from '../../client/index.ts';
import { useApi } from '../base/api.ts';
import { type SavedView, toViewPath, useSharedViews } from '../base/preferences.ts';
import { serverNow } from '../base/server-clock.ts';
import { useLoad } from '../base/use-load.ts';
import { parseAddress, toListRequest } from '../records/list-address.ts';
import { articleListSpec } from '../resources/article-words.ts';
import { changeListSpec } from '../resources/change-words.ts';
import { ciListSpec } from '../resources/ci-words.ts';
import { incidentListSpec } from '../resources/incident-words.ts';
import { requestListSpec } from '../resources/request-words.ts';
import { Icon } from '../ui/kit/index.ts';
import { PlainLink } from '../ui/plain-link.tsx';

const maxShown = 10;
const polling = { intervalMs: 60_000, maxIntervalMs: 480_000, maxPolls: 120 };

/** The views that managers share, with the number of their records. */
export function TeamViews({ shown, onClose }: { shown: string; onClose?: () => void }) {
  const views = useSharedViews().data?.views ?? [];
  if (views.length === 0) return null;
  return (
    <>
      <h2>Team views</h2>
      <ul>
        {views.slice(0, maxShown).map((view) => (
          <TeamView key={`${view.list} ${view.name}`} view={view} shown={shown} onClose={onClose} />
        ))}
      </ul>
    </>
  );
}

interface TeamViewProps {
  view: SavedView;
  shown: string;
  onClose: (() => void) | undefined;
}

function TeamView({ view, shown, onClose }: TeamViewProps) {
  const { client } = useApi();
  const { data } = useLoad(['views', 'count', view.list, view.query], (signal) => countRecords(client, view, signal), {
    polling,
  });
  const path = toViewPath(view);
  return (
    <li>
      <PlainLink
        to={path}
        className="side-link"
        onClick={onClose}
        aria-current={path === shown ? 'page' : undefined}
        title={view.name}
      >
        <Icon name="star" />
        <span className="side-name">{view.name}</span>
        {data !== undefined && <span className="side-count">{data.toLocaleString('en')}</span>}
      </PlainLink>
    </li>
  );
}

async function countRecords(client: ServiceClient, { list, query }: SavedView, signal: AbortSignal): Promise<number> {
  const options = { signal, retries: 0 };
  const specs = {
    incidents: incidentListSpec,
    changes: changeListSpec,
    requests: requestListSpec,
    cis: ciListSpec,
    articles: articleListSpec,
  };
  const request = { ...toListRequest(parseAddress(query, specs[list]), serverNow()), limit: 1 } as object;
  const lists = {
    incidents: () => client.listIncidents(request, options),
    changes: () => client.listChanges(request, options),
    requests: () => client.listRequests(request, options),
    cis: () => client.listCis(request, options),
    articles: () => client.listArticles(request, options),
  };
  return (await lists[list]()).total;
}
