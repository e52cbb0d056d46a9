import './portal.css';
import { useApi } from '../../base/api.ts';
import type { Caller } from '../../base/caller.tsx';
import { useLoad } from '../../base/use-load.ts';
import { requestList } from '../../resources/request-words.ts';
import { Columns, Icon, type IconName, Stack } from '../../ui/kit/index.ts';
import { PlainLink } from '../../ui/plain-link.tsx';
import { IncidentQueue, RequestQueue } from './work-queues.tsx';

/** What people who do not work at the service desk need: help, the catalog, and what they are waiting for. */
export function Portal({ caller: { email } }: { caller: Caller }) {
  const { client } = useApi();
  const { data } = useLoad(['requests', 'catalog'], (signal) => client.getRequestCatalog({}, { signal }));
  const reports = {
    title: 'My reports',
    empty: 'You have reported nothing. Tell us when something does not work.',
    filters: { opened_by: email, sort: 'updated_at', order: 'desc' },
  };
  return (
    <Stack>
      <ul className="tiles" aria-label="Get help">
        <Tile to="/report" icon="incident" title="Report a problem" text="Something does not work." />
        <Tile to="/ask" icon="ask" title="Ask a question" text="Answers from the knowledge base." />
        {data?.items.map(({ name, description }) => (
          <Tile
            key={name}
            to={`${requestList}/new?item=${encodeURIComponent(name)}`}
            icon="inbox"
            title={`Request: ${name}`}
            text={description}
          />
        ))}
        <Tile to={`${requestList}/new`} icon="add-plus" title="Request something else" text="Not in the list? Ask." />
      </ul>
      <Columns>
        <RequestQueue email={email} />
        <IncidentQueue queue={reports} />
      </Columns>
    </Stack>
  );
}

function Tile({ to, icon, title, text }: { to: string; icon: IconName; title: string; text: string }) {
  return (
    <li>
      <PlainLink to={to} className="tile">
        <Icon name={icon} />
        <strong>{title}</strong>
        <span className="ui-muted ui-small">{text}</span>
      </PlainLink>
    </li>
  );
}
