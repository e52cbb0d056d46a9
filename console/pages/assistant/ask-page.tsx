import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import ContentLayout from '@cloudscape-design/components/content-layout';
import Form from '@cloudscape-design/components/form';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import SegmentedControl from '@cloudscape-design/components/segmented-control';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Textarea from '@cloudscape-design/components/textarea';
import { type FormEvent, useState } from 'react';
import { useApi } from '../../api.ts';
import { ProblemView } from '../../components/problem-view.tsx';
import { useAction } from '../../use-action.ts';
import { type Answered, AnswerView } from './answer-view.tsx';

type Source = 'knowledge' | 'records';

/** Questions to the knowledge base, with citations, and about the records, with how they were looked up. */
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
      // A conversation that has come to its end must not keep the next question from being asked.
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
