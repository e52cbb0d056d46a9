import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import ContentLayout from '@cloudscape-design/components/content-layout';
import Form from '@cloudscape-design/components/form';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import LiveRegion from '@cloudscape-design/components/live-region';
import SegmentedControl from '@cloudscape-design/components/segmented-control';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import Textarea from '@cloudscape-design/components/textarea';
import { type FormEvent, useState } from 'react';
import { useApi } from '../../app/api.ts';
import { changeQuery, useQueryString } from '../../app/router.ts';
import { useLoad } from '../../records/use-load.ts';
import { PageLink } from '../../ui/links.tsx';
import { Markdown } from '../../ui/markdown.tsx';
import { FactsSkeleton } from '../../ui/panels.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { toRecordPath } from '../../ui/record-path.ts';
import { useAction } from '../../ui/use-action.ts';
import { articleList } from '../knowledge/article-words.ts';

type Source = 'knowledge' | 'records';

/**
 * A chat that answers questions from the knowledge base, with citations, and about records, with the queries used. The
 * address names the source and the conversation, so a reload continues it and another source starts anew.
 */
export function AskPage() {
  const { client } = useApi();
  const query = new URLSearchParams(useQueryString());
  const source: Source = query.get('source') === 'records' ? 'records' : 'knowledge';
  const conversation = query.get('conversation') ?? undefined;
  const [question, setQuestion] = useState('');
  const [turns, setTurns] = useState<readonly Answered[]>([]);
  const [cited, setCited] = useState<string>();
  const action = useAction();

  const startOver = (next: Source) => {
    setTurns([]);
    setCited(undefined);
    action.forget();
    changeQuery(next === 'records' ? 'source=records' : '');
  };
  const ask = () => {
    const text = question.trim();
    if (text === '' || action.busy) return;
    void action.run(async () => {
      const answered = source === 'knowledge' ? await client.askQuestion({ question: text }) : await continueOn(text);
      setTurns((before) => [...before, { question: text, ...answered }]);
      setQuestion('');
    });
  };
  const continueOn = async (text: string) => {
    const earlier = conversation === undefined ? {} : { conversation_id: conversation };
    try {
      const answered = await client.queryRecords({ query: text, ...earlier });
      changeQuery(new URLSearchParams({ source, conversation: answered.conversation_id }).toString());
      return answered;
    } catch (error) {
      // An expired conversation must not block the next question.
      changeQuery('source=records');
      throw error;
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    ask();
  };

  return (
    <ContentLayout
      header={
        <Header variant="h1" actions={<Button onClick={() => startOver(source)}>New question</Button>}>
          Ask
        </Header>
      }
    >
      <SpaceBetween size="l">
        {turns.map((answered, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: turns are only appended.
          <AnswerView key={place} answered={answered} onCite={setCited} />
        ))}
        {cited !== undefined && <CitedArticle id={cited} onClose={() => setCited(undefined)} />}
        {action.problem !== undefined && <ProblemView problem={action.problem} onRetry={ask} />}
        <form onSubmit={submit}>
          <Form
            actions={
              <Button variant="primary" formAction="submit" loading={action.busy} disabled={question.trim() === ''}>
                Ask
              </Button>
            }
          >
            <Container>
              <SpaceBetween size="m">
                <SegmentedControl
                  label="Source"
                  selectedId={source}
                  onChange={({ detail }) => startOver(detail.selectedId as Source)}
                  options={[
                    { id: 'knowledge', text: 'Knowledge base' },
                    { id: 'records', text: 'Records' },
                  ]}
                />
                <FormField label="Question" description={hints[source]} stretch>
                  <Textarea
                    value={question}
                    rows={3}
                    autoFocus
                    placeholder={examples[source]}
                    onChange={({ detail }) => setQuestion(detail.value)}
                    onKeyDown={({ detail }) => {
                      if (detail.key === 'Enter' && (detail.ctrlKey || detail.metaKey)) ask();
                    }}
                  />
                </FormField>
              </SpaceBetween>
            </Container>
          </Form>
        </form>
      </SpaceBetween>
    </ContentLayout>
  );
}

/** A cited article beside the answer, so that nobody has to leave the conversation. */
function CitedArticle({ id, onClose }: { id: string; onClose(): void }) {
  const { client } = useApi();
  const { data, problem, reload } = useLoad(['articles', id, 'cited'], (signal) =>
    client.getArticle({ id }, { signal }),
  );
  return (
    <Container
      header={
        <Header
          variant="h2"
          actions={<Button iconName="close" variant="icon" ariaLabel="Close article" onClick={onClose} />}
        >
          {data ? <PageLink to={`${articleList}/${id}`}>{data.title}</PageLink> : id}
        </Header>
      }
    >
      {problem !== undefined && <ProblemView problem={problem} onRetry={reload} />}
      {data ? <Markdown source={data.body} lines="joined" /> : <FactsSkeleton facts={3} label="Loading article" />}
    </Container>
  );
}

const hints: Readonly<Record<Source, string>> = {
  knowledge: 'Answers are based on published articles and cite their sources. Press Ctrl+Enter to ask.',
  records: 'Searches incidents, changes and configuration items. Press Ctrl+Enter to ask.',
};

const examples: Readonly<Record<Source, string>> = {
  knowledge: 'What does VPN client error 809 mean?',
  records: 'How many incidents are on hold?',
};

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

/** An answer with its sources and cost. */
export function AnswerView({ answered, onCite }: { answered: Answered; onCite(id: string): void }) {
  const { question, answer, citations, related, records = [], lists = [], tools_used = [] } = answered;
  const isNotFound = related !== undefined && citations.length === 0;
  return (
    <Container
      header={<Header variant="h2">{question}</Header>}
      footer={
        <Box fontSize="body-s" color="text-body-secondary">
          {formatCost(answered)}
        </Box>
      }
    >
      <SpaceBetween size="m">
        <LiveRegion>{isNotFound ? <NotFound answer={answer} /> : <Markdown source={answer} />}</LiveRegion>
        <Tier answered={answered} />
        <Links title="Articles" links={citations.map(articleLink)} onOpen={onCite} />
        <Links title="Related articles" links={(related ?? []).map(articleLink)} onOpen={onCite} />
        <Links
          title="Records"
          links={records.map(({ id, title }) => ({ to: toRecordPath(id) ?? '/', text: id, aside: title }))}
        />
        <Links title="Lists" links={lists.map(toListLink)} />
        {tools_used.length > 0 && (
          <Box fontSize="body-s" color="text-body-secondary">
            Queries: {tools_used.map(formatQuery).join('; ')}
          </Box>
        )}
      </SpaceBetween>
    </Container>
  );
}

/** How sure the answer is; only answers from the knowledge base have a confidence. */
function Tier({ answered: { confidence, citations, answer } }: { answered: Answered }) {
  if (confidence === undefined || citations.length === 0) return null;
  const isClose = answer.startsWith('Closest match');
  return (
    <StatusIndicator type={isClose ? 'warning' : 'success'}>
      {isClose ? 'Closest match' : 'Answer found'}, confidence {Math.round(confidence * 100)}%
    </StatusIndicator>
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
function toListLink(path: string) {
  const known = path.replace(/^\/cmdb\/cis/, '/cis').replace(/^\/knowledge\/articles/, '/knowledge');
  // The page of incidents shows open ones unless the address names states.
  const isAll = known.startsWith('/incidents') && !/[?&]state=/.test(known);
  const to = isAll ? `${known}${known.includes('?') ? '&' : '?'}state=all` : known;
  return { to, text: 'Open all in the list', aside: decodeURIComponent(to) };
}

function articleLink({ article_id, title, relevance }: FoundArticle) {
  const aside = `${Math.round(relevance * 100)}% match`;
  return { to: `${articleList}/${article_id}`, text: title, aside, id: article_id };
}

interface LinksProps {
  title: string;
  links: { to: string; text: string; aside: string; id?: string }[];
  /** Shows the article on this page. */
  onOpen?(id: string): void;
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
              <Button variant="inline-link" ariaLabel={`Show ${text} here`} onClick={() => onOpen(id)}>
                Show here
              </Button>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** count_incidents {priority: ['P1'], by: 'state'} as count incidents (priority P1, by state). */
function formatQuery({ name, input }: { name: string; input: Record<string, unknown> }): string {
  const plain = (text: string) => text.replaceAll('_', ' ');
  const given = Object.entries(input).map(
    ([key, value]) => `${plain(key)} ${plain([value ?? 'none'].flat().join(' or '))}`,
  );
  return given.length > 0 ? `${plain(name)} (${given.join(', ')})` : plain(name);
}

function formatCost({ confidence, model_used, tokens_used, latency_ms, cache }: Answered): string {
  const sure = confidence === undefined ? '' : `Confidence ${Math.round(confidence * 100)}%, `;
  const took = `${sure}${model_used}, ${tokens_used} tokens, ${latency_ms} ms`;
  if (!cache) return took;
  const source = cache.matched === undefined ? 'cached answer' : `cached answer to “${cache.matched}”`;
  return `${took}; ${source}, ${cache.age_seconds} s old`;
}
