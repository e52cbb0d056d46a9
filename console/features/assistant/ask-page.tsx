import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Form from '@cloudscape-design/components/form';
import FormField from '@cloudscape-design/components/form-field';
import SegmentedControl from '@cloudscape-design/components/segmented-control';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Textarea from '@cloudscape-design/components/textarea';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useApi } from '../../base/api.ts';
import { changeQuery, useQueryString } from '../../base/router.ts';
import { PageLayout } from '../../ui/layouts.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { sidePanel } from '../../ui/side-panel.ts';
import { useAction } from '../../ui/use-action.ts';
import { AnswerView, CitedArticle } from './answer-view.tsx';
import type { Answered } from './answer-words.ts';

type Source = 'knowledge' | 'records';

/**
 * A chat that answers questions from the knowledge base, with citations, and about records, with the queries used. The
 * address names the source and the conversation, so a reload continues it and another source starts a new one.
 */
export function AskPage() {
  const { client } = useApi();
  const query = new URLSearchParams(useQueryString());
  const source: Source = query.get('source') === 'records' ? 'records' : 'knowledge';
  const conversation = query.get('conversation') ?? undefined;
  const [question, setQuestion] = useState('');
  const [turns, setTurns] = useState<readonly Answered[]>([]);
  const [cited, setCited] = useState<{ id: string; title: string }>();
  const action = useAction();
  // An answer that arrives after "New question" or on another page must not bring its conversation back.
  const running = useRef(new AbortController());
  useEffect(() => {
    running.current = new AbortController();
    return () => running.current.abort();
  }, []);
  useEffect(() => {
    if (!cited) return;
    const onClose = () => setCited(undefined);
    sidePanel.set({ header: cited.title, content: <CitedArticle id={cited.id} />, onClose });
    return () => sidePanel.set(undefined);
  }, [cited]);

  const startOver = (next: Source) => {
    running.current.abort();
    running.current = new AbortController();
    setTurns([]);
    setCited(undefined);
    action.forget();
    changeQuery(next === 'records' ? 'source=records' : '');
  };
  const ask = (asked = question) => {
    const text = asked.trim();
    if (text === '' || action.busy) return;
    const { signal } = running.current;
    void action.run(async () => {
      const answered =
        source === 'knowledge'
          ? await client.askQuestion({ question: text }, { signal })
          : await continueOn(text, signal);
      signal.throwIfAborted();
      setTurns((before) => [...before, { question: text, ...answered }]);
      setQuestion('');
    });
  };
  const continueOn = async (text: string, signal: AbortSignal) => {
    const earlier = conversation === undefined ? {} : { conversation_id: conversation };
    try {
      const answered = await client.queryRecords({ query: text, ...earlier }, { signal });
      signal.throwIfAborted();
      changeQuery(new URLSearchParams({ source, conversation: answered.conversation_id }).toString());
      return answered;
    } catch (error) {
      // An expired conversation must not block the next question.
      if (!signal.aborted) changeQuery('source=records');
      throw error;
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    ask();
  };

  return (
    <PageLayout title="Ask" actions={<Button onClick={() => startOver(source)}>New question</Button>}>
      <SpaceBetween size="l">
        {turns.map((answered, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: turns are only appended.
          <AnswerView key={place} answered={answered} onCite={(id, title) => setCited({ id, title })} />
        ))}
        {action.problem !== undefined && <ProblemView problem={action.problem} onRetry={() => ask()} />}
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
                    onChange={({ detail }) => setQuestion(detail.value)}
                    onKeyDown={({ detail }) => {
                      if (detail.key === 'Enter' && (detail.ctrlKey || detail.metaKey)) ask();
                    }}
                  />
                </FormField>
                {turns.length === 0 && (
                  <div className="facts-line">
                    <Box color="text-body-secondary">For example:</Box>
                    {examples[source].map((example) => (
                      <Button
                        key={example}
                        variant="inline-link"
                        formAction="none"
                        onClick={() => {
                          setQuestion(example);
                          ask(example);
                        }}
                      >
                        {example}
                      </Button>
                    ))}
                  </div>
                )}
              </SpaceBetween>
            </Container>
          </Form>
        </form>
      </SpaceBetween>
    </PageLayout>
  );
}

const hints: Readonly<Record<Source, string>> = {
  knowledge: 'Answers are based on published articles and cite their sources. Press Ctrl+Enter to ask.',
  records: 'Searches incidents, changes and configuration items. Press Ctrl+Enter to ask.',
};

const examples: Readonly<Record<Source, readonly string[]>> = {
  knowledge: ['What does VPN client error 809 mean?', 'How do I open a shared mailbox?'],
  records: ['How many incidents are on hold?', 'Which P1 incidents are open?'],
};
