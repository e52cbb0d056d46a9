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
import Textarea from '@cloudscape-design/components/textarea';
import { type FormEvent, useState } from 'react';
import { useApi } from '../../app/api.ts';
import { PageLink } from '../../ui/links.tsx';
import { Markdown } from '../../ui/markdown.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { toRecordPath } from '../../ui/record-path.ts';
import { useAction } from '../../ui/use-action.ts';
import { articleList } from '../knowledge/article-words.ts';

type Source = 'knowledge' | 'records';

/** Answers questions from the knowledge base, with citations, and about records, with the queries used. */
export function AskPage() {
  const { client } = useApi();
  const [source, setSource] = useState<Source>('knowledge');
  const [question, setQuestion] = useState('');
  const [conversation, setConversation] = useState<string>();
  const [answered, setAnswered] = useState<Answered>();
  const action = useAction();

  const ask = () => {
    if (question.trim() === '' || action.busy) return;
    void action.run(async () => {
      setAnswered(undefined);
      if (source === 'knowledge') return setAnswered({ question, ...(await client.askQuestion({ question })) });
      const earlier = conversation === undefined ? {} : { conversation_id: conversation };
      // An expired conversation must not block the next question.
      setConversation(undefined);
      const answer = await client.queryRecords({ query: question, ...earlier });
      setConversation(answer.conversation_id);
      setAnswered({ question, ...answer });
    });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    ask();
  };

  return (
    <ContentLayout header={<Header variant="h1">Ask</Header>}>
      <SpaceBetween size="l">
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
                  onChange={({ detail }) => setSource(detail.selectedId as Source)}
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
        {action.problem !== undefined && <ProblemView problem={action.problem} onRetry={ask} />}
        {answered && <AnswerView answered={answered} />}
      </SpaceBetween>
    </ContentLayout>
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
export function AnswerView({ answered }: { answered: Answered }) {
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
        <Links title="Articles" links={citations.map(articleLink)} />
        <Links title="Related articles" links={(related ?? []).map(articleLink)} />
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
