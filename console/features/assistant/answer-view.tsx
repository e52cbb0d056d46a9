import type { ServiceClient } from '../../../client/index.ts';
import { useApi } from '../../base/api.ts';
import { useLoad } from '../../base/use-load.ts';
import { articleList } from '../../resources/article-words.ts';
import { BarChart } from '../../ui/kit/charts.tsx';
import { Alert, Box, Button, Expandable, Stack, Status } from '../../ui/kit/index.ts';
import { Panel } from '../../ui/layouts.tsx';
import { PageLink } from '../../ui/links.tsx';
import { Markdown } from '../../ui/markdown.tsx';
import { FactsSkeleton } from '../../ui/panels.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { toRecordPath } from '../../ui/record-path.ts';
import { formatDuration } from '../../ui/time.ts';
import {
  type Answered,
  type FoundArticle,
  findFigures,
  formatCost,
  formatQuery,
  listOtherRecords,
} from './answer-words.ts';

/** An answer with its sources; how it came about is behind a click. */
export function AnswerView({ answered, onCite }: { answered: Answered; onCite(id: string, title: string): void }) {
  const { question, answer, citations, related, lists = [], tools_used = [] } = answered;
  const isNotFound = related !== undefined && citations.length === 0;
  return (
    <Panel title={question}>
      <Stack gap="m">
        <div role="status">{isNotFound ? <NotFound answer={answer} /> : <Markdown source={answer} />}</div>
        <Figures answer={answer} />
        <Tier answered={answered} />
        <Links title="Articles" links={citations.map(articleLink)} onOpen={onCite} />
        <Links title="Related articles" links={(related ?? []).map(articleLink)} onOpen={onCite} />
        <Links
          title="Records"
          links={listOtherRecords(answered).map(({ id, title }) => ({
            to: toRecordPath(id) ?? '/',
            text: id,
            aside: title,
          }))}
        />
        {lists
          .filter((path) => !path.includes('/statistics'))
          .map((path) => (
            <ListLink key={path} path={path} />
          ))}
        <Expandable title="How this was answered">
          <Box small muted>
            {tools_used.length > 0 && `Queries: ${tools_used.map(formatQuery).join('; ')}. `}
            {formatCost(answered)}
          </Box>
        </Expandable>
      </Stack>
    </Panel>
  );
}

/** The numbers of a table as bars. */
function Figures({ answer }: { answer: string }) {
  const figures = findFigures(answer);
  if (!figures) return null;
  const { title, labels, values, areDurations } = figures;
  const format = areDurations ? (minutes: number) => formatDuration(minutes * 60_000) : String;
  return <BarChart label={title} labels={labels} series={[{ title, values }]} formatValue={format} />;
}

/** How sure the answer is; only answers from the knowledge base have a confidence. */
function Tier({ answered: { confidence, citations, answer } }: { answered: Answered }) {
  if (confidence === undefined || citations.length === 0) return null;
  const isClose = answer.startsWith('Closest match');
  return (
    <Status type={isClose ? 'warning' : 'success'}>
      {isClose ? 'Closest match' : 'Answer found'}, confidence {Math.round(confidence * 100)}%
    </Status>
  );
}

/** An alert, so that nobody in a hurry takes it for an answer. */
function NotFound({ answer }: { answer: string }) {
  return (
    <Alert type="warning" header="Not found">
      <Markdown source={answer} />
      Try the exact error code, name or message.
    </Alert>
  );
}

/** A list with the records of the answer, and how many there are. */
function ListLink({ path }: { path: string }) {
  const { client } = useApi();
  const { data: total } = useLoad(['lists', 'total', path], (signal) => countRecords(client, path, signal));
  const text = total === 1 ? 'Open it in the list' : `Open all ${total?.toLocaleString('en') ?? ''} in the list`;
  return <PageLink to={toListAddress(path)}>{text.replace('  ', ' ')}</PageLink>;
}

async function countRecords(client: ServiceClient, path: string, signal: AbortSignal): Promise<number | undefined> {
  const [list = '', query = ''] = path.split('?');
  const filters = { ...Object.fromEntries(new URLSearchParams(query)), limit: 1 };
  const lists: Readonly<Record<string, (() => Promise<{ total: number }>) | undefined>> = {
    '/incidents': () => client.listIncidents(filters, { signal }),
    '/changes': () => client.listChanges(filters, { signal }),
    '/requests': () => client.listRequests(filters, { signal }),
    '/cmdb/cis': () => client.listCis(filters, { signal }),
    '/knowledge/articles': () => client.listArticles(filters, { signal }),
  };
  return (await lists[list]?.())?.total;
}

/** The console shows the same lists, some of them at shorter paths. */
function toListAddress(path: string): string {
  const known = path.replace(/^\/cmdb\/cis/, '/cis').replace(/^\/knowledge\/articles/, '/knowledge');
  // The page of incidents shows open ones unless the address names states.
  const isAll = known.startsWith('/incidents') && !/[?&]state=/.test(known);
  return isAll ? `${known}${known.includes('?') ? '&' : '?'}state=all` : known;
}

function articleLink({ article_id, title, relevance }: FoundArticle) {
  const aside = `${Math.round(relevance * 100)}% match`;
  return { to: `${articleList}/${article_id}`, text: title, aside, id: article_id };
}

interface LinksProps {
  title: string;
  links: { to: string; text: string; aside: string; id?: string }[];
  /** Shows the article on this page. */
  onOpen?(id: string, title: string): void;
}

function Links({ title, links, onOpen }: LinksProps) {
  if (links.length === 0) return null;
  return (
    <div>
      <Box variant="h3">{title}</Box>
      <ul className="points">
        {links.map(({ to, text, aside, id }) => (
          <li key={to}>
            <PageLink to={to}>{text}</PageLink> <Box variant="span">{aside}</Box>{' '}
            {id !== undefined && onOpen && (
              <Button variant="inline" ariaLabel={`Open here: ${text}`} onClick={() => onOpen(id, text)}>
                Open here
              </Button>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** A cited article beside the chat, so that nobody has to leave the conversation. */
export function CitedArticle({ id }: { id: string }) {
  const { client } = useApi();
  const { data, problem, reload } = useLoad(['articles', id, 'cited'], (signal) =>
    client.getArticle({ id }, { signal }),
  );
  if (problem !== undefined) return <ProblemView problem={problem} onRetry={reload} />;
  if (!data) return <FactsSkeleton facts={3} label="Loading article" />;
  return (
    <Stack gap="m">
      <Markdown source={data.body} lines="joined" />
      <Button to={`${articleList}/${id}`}>Open article</Button>
    </Stack>
  );
}
