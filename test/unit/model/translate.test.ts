// German, French and Spanish questions reach the planner in English.
import { translate } from '../../../model/built-in/translate.ts';

describe('translate', () => {
  it.each([
    ['Wie viele offene Tickets hat das Netzwerkteam?', 'how many open tickets has the network team?'],
    ['Wer hat INC7Q2M4KX gemeldet?', 'who reported INC7Q2M4KX?'],
    ['wie viele Störungen wurden gestern behoben', 'how many incidents were resolved yesterday'],
    ["Combien d'incidents a l'équipe réseau aujourd'hui ?", 'how many incidents has the network team today ?'],
    ['muéstrame los incidentes abiertos sin asignar', 'show me the open incidents unassigned'],
    ['cuantos cambios hay la próxima semana', 'how many changes are there next week'],
  ])('translates "%s"', (question, text) => {
    expect(translate(question)).toMatchObject({ text, left: [] });
  });

  it.each([
    'open tickets of the network team',
    'urgent changes',
    'P1 incidents by assignee',
    'LA office',
    'INC7Q2M4KX',
  ])('leaves "%s" as it is', (question) => {
    expect(translate(question)).toBeUndefined();
  });

  it('lists the words that it does not know, and keeps names', () => {
    expect(translate('Wie viele Tickets hat Jonas auf mail-relay-1 verschlampt?')).toMatchObject({
      text: 'how many tickets has Jonas on mail-relay-1 verschlampt?',
      left: ['Jonas', 'verschlampt'],
    });
  });
});
