"""Texts that ask the same, and look-alikes that do not, for the answer cache.

Each block in model/pairs has lines that ask the same (+) and lines that ask something else with almost the same words (-).
Names in braces are replaced by values of `SLOTS`, the same in a whole block; another value is another question. Questions of
the articles in model/data add other topics: greetings and typos do not change them, another word does.
"""
import json
import pathlib
import random
import re

SLOTS = {
    'person': 'Anna Weber|Mr Keller|Ms Rossi|Tom|Priya|Jonas Berg|Mrs Novak|Diego|Lena|the new trainee|our manager|Dr Sato|Ahmed|Karin|Peter Lund',
    'team': 'finance|sales|human resources|marketing|legal|purchasing|logistics|research|quality|engineering|the works council|accounting|customer care',
    'app': 'Outlook|Teams|Excel|SAP|Jira|Salesforce|Confluence|SharePoint|Chrome|Word|Photoshop|AutoCAD|the ticket system|the CRM|Power BI|Slack|GitLab|Oracle|Citrix|OneDrive|the planning tool|Workday|PowerPoint|the intranet',
    'meeting': 'Zoom|Teams|Webex|Google Meet|Skype|Jitsi',
    'device': 'laptop|desktop|tablet|phone|workstation|MacBook|thin client|iPad|mini PC|scanner|monitor',
    'printer': 'printer on the second floor|colour printer|large format printer|printer in reception|ticket printer|printer of accounting|photo printer|printer P-114|printer P-231',
    'site': 'Oslo|Bergen|Hamburg|Porto|Graz|Leeds|Turin|Aarhus|Krakow|Austin|Building 4|Building 7|the north plant|the south plant|store 112|store 48|Basel|Malmo|the head office|the branch in Kiel',
    'site2': 'Vienna|Madrid|Dublin|Tallinn|Prague|Riga',
    'number': '2|3|5|10|12|15|20|25|30|45|48|60|75|80|90|110|204|377',
    'accessory': 'headset|docking station|mouse|keyboard|second monitor|charger|webcam|laptop bag|presenter|smart card reader',
    'host': 'web01|web02|db-03|app17|srv-mail-1|srv-mail-2|node-a|node-b|fs04|gw-west|gw-east|press 4|press 6|the file server|the mail gateway|the print server',
    'db': 'orders|customers|billing|warehouse|analytics|HR|archive|inventory|payments',
    'day': 'Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|yesterday|last week|1 March|15 May',
    'env': 'production|staging|test|development|pre-production|the demo environment',
    'code': 'E-1042|E-1024|0x80070005|0x80070020|IKE-4012|ERR_CONN_17|ORA-01555|ORA-00942|QX-77|QX-71|5.7.60|5.2.3',
    'queue': 'orders|mail|invoice|export|import|notification|dead-letter',
    'status': '400|401|403|404|409|429|500|502|503|504',
    'course': 'statistics|linear algebra|organic chemistry|economics|Spanish|physics',
    'floor': 'ground floor|first floor|second floor|third floor|fourth floor|basement',
    'appliance': 'fan|microwave|door opener|sprinkler|water dispenser|shredder|ventilation|intercom|pump|barrier|vending machine|crane|generator|freezer',
    'place': 'the lobby|hall B|the archive|room 214|room 241|the canteen|the garage|the workshop|the laboratory|ward 6|the west wing|the kitchen|the roof',
    'group': 'students|trainees|freelancers|nurses|drivers|suppliers|retired colleagues|night shift workers|lecturers|cashiers|engineers',
    'report': 'the sales report|the stock report|the turnover overview|the daily report|the KPI dashboard|the audit list',
}
SLOTS = {name: values.split('|') for name, values in SLOTS.items()}

# A word of the same group in its place makes another question.
GROUPS = [group.split('|') for group in '''on|off
add|remove|delete
open|close
start|stop
enable|disable
install|uninstall
increase|decrease
allow|block
before|after
first|second|third|last
left|right
upload|download
import|export
internal|external
inbound|outbound
incoming|outgoing
send|receive
buy|sell
lock|unlock
connect|disconnect
primary|secondary
north|south|east|west
morning|evening|night
daily|weekly|monthly|yearly
hours|minutes|days|weeks
red|green|blue|yellow|white|black
laptop|desktop|tablet|phone
printer|scanner|copier
production|staging|test
wireless|wired
mailbox|calendar
students|lecturers|staff
patients|nurses|doctors
customers|suppliers|employees
manager|colleague|assistant
front|back
old|new
too high|too low
Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday
January|February|March|April|June|July|August|October
who|when|where|why
minimum|maximum
read|write
always|never
with|without
can|cannot
does|does not
is|is not'''.split('\n')]
OTHERS = {word: [other for other in group if other != word] for group in GROUPS for word in group}

STARTS = ['Hi, ', 'Hello, ', 'hey ', 'Good morning, ', 'Please: ', 'Quick question: ', 'Dear team, ', 'hi all - ', 'Question: ', 'urgent: ']
ENDS = [' Thanks!', ' thx', ' Please help.', ' Any ideas?', ' Can you help?', ' please', ' Thank you in advance.', ' pls', '?', '', ' Regards']
OPENINGS = [
    ('How do I ', ['How can I ', 'What is the way to ', 'how to ', 'What do I need to do to ', 'Could you tell me how to ', 'What are the steps to ']),
    ('What is ', ["What's ", 'Can you tell me what is ', 'I would like to know what is ']),
    ('Where is ', ['Where can I find ', "Where's ", 'Do you know where is ']),
    ('Who ', ['Which person ', 'Can you tell me who ']),
    ('Why ', ['What is the reason why ', 'Do you know why ']),
    ('Can I ', ['Am I able to ', 'Is it possible to ', 'May I ']),
    ('I cannot ', ["I can't ", 'I am unable to ', 'It is not possible for me to ']),
    ('We cannot ', ["We can't ", 'We are unable to ']),
]
SWAPS = [(' does not ', " doesn't "), (' is not ', " isn't "), (' cannot ', " can't "), (' I am ', " I'm "), (' e-mail', ' mail'),
         (' laptop', ' notebook'), (' error ', ' error message '), (' will not ', " won't "), (' do not ', " don't "), (' colleague', ' coworker'),
         (' internet', ' web access'), (' computer', ' PC'), (' every day', ' daily'), (' broken', ' defective'), (' buy ', ' purchase '),
         (' phone', ' telephone'), (' quickly', ' fast'), (' begin', ' start'), (' employee', ' staff member'), (' fix', ' repair')]


def load_blocks(folder):
    blocks = []
    for file in sorted(pathlib.Path(folder).glob('*.txt')):
        for part in file.read_text().strip().split('\n\n'):
            lines = part.split('\n')
            same = [line[2:] for line in lines if line.startswith('+ ')]
            other = [line[2:] for line in lines if line.startswith('- ')]
            assert len(same) > 1 and len(other) > 1 and len(same) + len(other) == len(lines), part
            blocks.append((same, other))
    return blocks


def fill(text, values):
    return re.sub(r'\{(\w+)\}', lambda found: values[found[1]], text)


def write_loosely(text, rng):
    """The same text as people type it: greetings, thanks, small letters, no punctuation, a typo."""
    chance = rng.random
    if chance() < 0.35:
        for opening, others in OPENINGS:
            if text.startswith(opening):
                text = rng.choice(others) + text[len(opening):]
                break
    if chance() < 0.4:
        options = [pair for pair in SWAPS if pair[0] in text]
        if options:
            text = text.replace(*rng.choice(options))
    if chance() < 0.3:
        text = text.rstrip('?.!')
    if chance() < 0.15:
        text = rng.choice(STARTS) + text
    if chance() < 0.15:
        text += rng.choice(ENDS)
    if chance() < 0.25:
        text = text.lower()
    if chance() < 0.12:
        words = text.split(' ')
        place = rng.randrange(len(words))
        word = words[place]
        if len(word) > 5 and word.isalpha() and word.islower():
            at = rng.randrange(1, len(word) - 2)
            words[place] = rng.choice([word[:at] + word[at + 1] + word[at] + word[at + 2:], word[:at] + word[at + 1:]])
            text = ' '.join(words)
    return text


class PairSource:
    """Draws (same, same, look-alike, look-alike)."""

    def __init__(self, blocks, questions, seed):
        self.rng = random.Random(seed)
        self.blocks = blocks
        self.questions = questions
        words = {}
        for question in questions:
            for word in re.findall(r'\b[a-z]{4,}\b', question):
                words[word] = words.get(word, 0) + 1
        self.words = [word for word, count in words.items() if count < 40 and word not in STOP]

    def draw(self, share_of_blocks):
        if self.rng.random() < share_of_blocks or not self.questions:
            return self.draw_block()
        return self.draw_question()

    def draw_block(self):
        rng = self.rng
        same, other = rng.choice(self.blocks)
        values = {name: rng.choice(options) for name, options in SLOTS.items()}
        if values['site'] == values['site2']:
            values['site2'] = 'Vienna'
        one, two = rng.sample(same, 2)
        if rng.random() < 0.2:
            two = one
        used = re.findall(r'\{(\w+)\}', one)
        negatives = [fill(rng.choice(other), values)]
        if used:
            name = rng.choice(used)
            changed = {**values, name: rng.choice([value for value in SLOTS[name] if value != values[name]])}
            negatives.append(fill(rng.choice([one, two, rng.choice(same)]), changed))
        else:
            negatives.append(fill(rng.choice(other), values))
        return [write_loosely(fill(text, values), rng) for text in (one, two)] + [write_loosely(text, rng) for text in negatives]

    def draw_question(self):
        rng = self.rng
        question = rng.choice(self.questions)
        return [write_loosely(question, rng), write_loosely(question, rng)] + [
            write_loosely(self.change_word(question), rng) for _ in range(2)]

    def change_word(self, text):
        rng = self.rng
        digits = list(re.finditer(r'\d+', text))
        if digits and rng.random() < 0.4:
            found = rng.choice(digits)
            number = found[0]
            while number == found[0]:
                number = ''.join(rng.choice('0123456789') for _ in found[0]) if rng.random() < 0.5 else str(rng.randrange(1, 100))
            return text[:found.start()] + number + text[found.end():]
        groups = [found for found in re.finditer(r"\b[A-Za-z]+\b", text) if found[0].lower() in OTHERS]
        if groups and rng.random() < 0.5:
            found = rng.choice(groups)
            return text[:found.start()] + rng.choice(OTHERS[found[0].lower()]) + text[found.end():]
        candidates = [found for found in re.finditer(r"\b[a-z]{4,}\b", text) if found[0] not in STOP]
        if not candidates:
            return rng.choice(self.questions)
        found = rng.choice(candidates)
        ending = found[0][-1]
        for _ in range(20):
            word = rng.choice(self.words)
            if word != found[0] and (word[-1] == 's') == (ending == 's') and word[:4] != found[0][:4]:
                break
        return text[:found.start()] + word + text[found.end():]


STOP = set('''what when where which who whom whose with without from into this that these those have having does doing done
should would could about there their them they then than will your yours please help need needs want just like some also
very really here been being were because after before still only even much many more most such while again must cannot'''.split())


def load_questions(folder, names=None):
    questions = []
    for file in sorted(pathlib.Path(folder).glob('*.jsonl')):
        if names is not None and file.stem not in names:
            continue
        for line in file.read_text().splitlines():
            questions += [question['q'] for question in json.loads(line)['questions']]
    return [question for question in questions if len(question) < 160]
