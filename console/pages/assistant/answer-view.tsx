import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import LiveRegion from '@cloudscape-design/components/live-region';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { PageLink } from '../../components/page-link.tsx';
import { Markdown } from '../../markdown/markdown.tsx';
import { recordPathOf } from '../../record-path.ts';
import { articleList } from '../knowledge/article-words.ts';

export interface Answered {
  question: string;
  answer: string;
  /** Only with questions to the knowledge base. */
  confidence?: number;
  citations: FoundArticle[];
  /** Only with questions to the knowledge base. */
  related?: FoundArticle[];
  records?: { type: string; id: string; title: string }[];
  /** Paths of the API that list the same records. */
  lists?: string[];
  tools_used?: { name: string; input: Record<string, unknown> }[];
  model_used: string;
  tokens_used: number;
  latency_ms: number;
  cache_hit: boolean;
  cache?: { matched?: string | undefined; similarity: number; age_seconds: number } | undefined;
}

interface FoundArticle {
  article_id: string;
  title: string;
  relevance: number;
}

/** An answer, what it rests on, and what it took. */
export function AnswerView({ answered }: { answered: Answered }) {
  const { question, answer, citations, related, records = [], lists = [], tools_used = [] } = answered;
  const isNotFound = related !== undefined && citations.length === 0;
  return (
    <Container
      header={<Header variant="h2">{question}</Header>}
      footer={
        <Box fontSize="body-s" color="text-body-secondary">
          {costOf(answered)}
        </Box>
      }
    >
      <SpaceBetween size="m">
        <LiveRegion>{isNotFound ? <NotFound answer={answer} /> : <Markdown source={answer} />}</LiveRegion>
        <Links title="Articles" links={citations.map(articleLink)} />
        <Links title="Related articles" links={(related ?? []).map(articleLink)} />
        <Links
          title="Records"
          links={records.map(({ id, title }) => ({ to: recordPathOf(id) ?? '/', text: id, aside: title }))}
        />
        <Links title="Lists" links={lists.map(listLink)} />
        {tools_used.length > 0 && (
          <Box fontSize="body-s" color="text-body-secondary">
            Queries: {tools_used.map(lookUpText).join('; ')}
          </Box>
        )}
      </SpaceBetween>
    </Container>
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

/** The console shows the same lists, some of them at shorter paths. */
function listLink(path: string) {
  const to = path.replace(/^\/cmdb\/cis/, '/cis').replace(/^\/knowledge\/articles/, '/knowledge');
  return { to, text: 'Show the whole list', aside: decodeURIComponent(to) };
}

function articleLink({ article_id, title, relevance }: FoundArticle) {
  const aside = `${Math.round(relevance * 100)}% match`;
  return { to: `${articleList}/${article_id}`, text: title, aside };
}

function Links({ title, links }: { title: string; links: { to: string; text: string; aside: string }[] }) {
  if (links.length === 0) return null;
  return (
    <div>
      <Box variant="h3">{title}</Box>
      <ul className="points">
        {links.map(({ to, text, aside }) => (
          <li key={to}>
            <PageLink to={to}>{text}</PageLink> <Box variant="span">{aside}</Box>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** count_incidents {priority: ['P1'], by: 'state'} as count incidents (priority P1, by state). */
function lookUpText({ name, input }: { name: string; input: Record<string, unknown> }): string {
  const plain = (text: string) => text.replaceAll('_', ' ');
  const given = Object.entries(input).map(
    ([key, value]) => `${plain(key)} ${plain([value ?? 'none'].flat().join(' or '))}`,
  );
  return given.length > 0 ? `${plain(name)} (${given.join(', ')})` : plain(name);
}

function costOf({ confidence, model_used, tokens_used, latency_ms, cache }: Answered): string {
  const sure = confidence === undefined ? '' : `Confidence ${Math.round(confidence * 100)}%, `;
  const took = `${sure}${model_used}, ${tokens_used} tokens, ${latency_ms} ms`;
  if (!cache) return took;
  const source = cache.matched === undefined ? 'cached answer' : `cached answer to “${cache.matched}”`;
  return `${took}; ${source}, ${cache.age_seconds} s old`;
}
