import { toIncidentText, toSubject } from '../../lambdas/ai/learning/subject.ts';
import { demoArticles } from './demo-articles.ts';
import { everyReport } from './story.ts';

/** Every text that the AI layer may have to read in the demo, each once. */
export function demoTexts(): string[] {
  const articles = demoArticles().flatMap(({ name: _, ...document }) => {
    const after = { document, deleted: false };
    return toSubject({ type: 'article', after }, { createdAt: '' })!.units.map(({ text }) => text);
  });
  return [...new Set([...articles, ...everyReport().map(toIncidentText)])];
}
