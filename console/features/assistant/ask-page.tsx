import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { ServiceClient } from '../../../client/index.ts';
import { useApi } from '../../base/api.ts';
import { changeQuery, useQueryString } from '../../base/router.ts';
import { Box, Button, FormField, Stack, Textarea } from '../../ui/kit/index.ts';
import { PageLayout } from '../../ui/layouts.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { sidePanel } from '../../ui/side-panel.ts';
import { useAction } from '../../ui/use-action.ts';
import { AnswerView, CitedArticle } from './answer-view.tsx';
import type { Answered } from './answer-words.ts';

/**
 * A chat about records and the knowledge base. The address names the conversation, so a reload continues it.
 */
export function AskPage() {
  const { client } = useApi();
  const conversation = new URLSearchParams(useQueryString()).get('conversation') ?? undefined;
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

  const startOver = () => {
    running.current.abort();
    running.current = new AbortController();
    setTurns([]);
    setCited(undefined);
    action.forget();
    changeQuery('');
  };
  const ask = (asked = question) => {
    const text = asked.trim();
    if (text === '' || action.busy) return;
    const { signal } = running.current;
    void action.run(async () => {
      try {
        const answered = await answer(client, text, conversation, signal);
        signal.throwIfAborted();
        changeQuery(`conversation=${answered.conversation_id}`);
        setTurns((before) => [...before, { question: text, ...answered }]);
        setQuestion('');
      } catch (error) {
        // An expired conversation must not block the next question.
        if (!signal.aborted) changeQuery('');
        throw error;
      }
    });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    ask();
  };

  return (
    <PageLayout title="Ask" actions={<Button onClick={startOver}>New question</Button>}>
      <Stack>
        {turns.map((answered, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: turns are only appended.
          <AnswerView key={place} answered={answered} onCite={(id, title) => setCited({ id, title })} />
        ))}
        {action.problem !== undefined && <ProblemView problem={action.problem} onRetry={() => ask()} />}
        <form onSubmit={submit}>
          <Stack gap="s">
            <FormField
              label="Question"
              description="About incidents, changes, requests, items and people on call, or anything in the knowledge base."
              stretch
            >
              <Textarea
                value={question}
                rows={2}
                autoFocus
                placeholder="Enter sends, Shift+Enter starts a new line"
                onChange={setQuestion}
                onKeyDown={(event) => {
                  if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
                  event.preventDefault();
                  ask();
                }}
              />
            </FormField>
            {turns.length === 0 && (
              <div className="facts-line">
                <Box muted>For example:</Box>
                {examples.map((example) => (
                  <Button
                    key={example}
                    variant="inline"
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
            <Box>
              <Button variant="primary" submit loading={action.busy} disabled={question.trim() === ''}>
                Ask
              </Button>
            </Box>
          </Stack>
        </form>
      </Stack>
    </PageLayout>
  );
}

const examples = [
  'What does VPN client error 809 mean?',
  'Which P1 incidents are open?',
  'Open incidents by team',
  'Incidents created per day last week',
];

/**
 * The copilot decides where to look. Unless it looked at records, the answer comes from the knowledge base: with a
 * confidence, and with related articles if there is no answer.
 */
async function answer(client: ServiceClient, query: string, earlier: string | undefined, signal: AbortSignal) {
  const answered = await client.queryRecords(
    { query, ...(earlier === undefined ? {} : { conversation_id: earlier }) },
    { signal },
  );
  const { tools_used, conversation_id } = answered;
  if (tools_used.some(({ name }) => name !== 'search_knowledge')) return answered;
  return { ...(await client.askQuestion({ question: query }, { signal })), conversation_id };
}
