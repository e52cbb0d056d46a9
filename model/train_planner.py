"""Trains the planner of the built-in copilot, which labels the words of a question with filters.

    pip install torch transformers tokenizers onnx onnxruntime
    python model/train_planner.py --out <folder>

Training starts from the int8 weights of the current planner. model/questions/*.txt contain one labelled question per line
(see the README there). The questions of --test only measure the result.
"""
import argparse
import collections
import json
import pathlib
import random
import re

import numpy as np
import onnx
import torch
import torch.nn.functional as F
from tokenizers import Tokenizer
from transformers import BertConfig, BertModel

DEVICE = 'cuda' if torch.cuda.is_available() else 'cpu'
HERE = pathlib.Path(__file__).parent
KINDS = ['incidents', 'problems', 'changes', 'requests', 'items', 'knowledge', 'record', 'articles', 'webhooks', 'oncall', 'order', 'other']
LABELLED = re.compile(r'\[([^\[\]]+)\]\(([^()]*)\)')
# Words with a meaning of their own, even where the label is missing.
DENIALS = set('not never no nobody without except excluding than average mean median percentage trend versus before after since '
              'today tomorrow recently monthly weekly waiting submitted published broken longest more worst worse breach breaches '
              'old solved category cause deadline environment next night owner owns priority resolved risk sla slow type'.split())
FOREIGN = set('zeige zeig mir alle die der das den im in von für und hat haben wir gibt es sind wurden welche les des de la le du une est sont pour avons nous quels montre affiche liste los las el una hay son para muéstrame lista dame se fueron qué'.split())
UNIT = re.compile(r'[^\W_]+|[^\w\s]|_')


def read_questions(files):
    lines = [line for file in files for line in pathlib.Path(file).read_text().splitlines()]
    return [parse(line) for line in lines if line.strip() and not line.startswith('#')]


def parse(line):
    """Returns the kind and the parts of the question as (text, labels)."""
    kind, text = (part.strip() for part in line.split('|', 1))
    parts, at = [], 0
    for match in LABELLED.finditer(text):
        parts += [(text[at:match.start()], []), (match[1], expand(match[2]))]
        at = match.end()
    return kind, [*parts, (text[at:], [])]


def expand(labels):
    """Splits `priority=P1,P2` into two labels."""
    pairs = [label.partition('=') for label in labels.split()]
    return [f'{name}={value}' if sign else name for name, sign, values in pairs for value in values.split(',')]


def to_units(parts):
    return [(unit, labels) for text, labels in parts for unit in UNIT.findall(text)]


# Labels in a pool can exchange their names.
POOLS = [['ci', 'depends_on', 'needed_by', 'name'], ['assigned_to', 'opened_by', 'requested_by', 'requested_for', 'author'],
         ['assignment_group', 'owner'], ['text'], ['category'], ['class'], ['location'], ['item'], ['environment']]


def collect_names(questions):
    names = {}
    for _, parts in questions:
        for text, labels in parts:
            if len(labels) == 1:
                names.setdefault(labels[0], []).append(text)
    return {label: [name for other in pool for name in names.get(other, [])] for pool in POOLS for label in pool}


def vary(parts, names, rng):
    """Replaces names and adds typing errors, so that the model learns the words around a name."""
    varied = []
    for text, labels in parts:
        if len(labels) == 1 and names.get(labels[0]) and rng.random() < 0.35:
            text = rng.choice(names[labels[0]])
        elif rng.random() < 0.12:
            text = misspell(text, rng)
        varied.append((text, labels))
    if rng.random() < 0.15:
        varied = [(re.sub(r"[?.!,']", '', text), labels) for text, labels in varied]
    return varied


def misspell(text, rng):
    words = text.split(' ')
    at = rng.randrange(len(words))
    word = words[at]
    if len(word) < 5 or not word.isalpha():
        return text
    place = rng.randrange(1, len(word) - 1)
    swapped = word[:place] + word[place + 1] + word[place] + word[place + 2:]
    words[at] = rng.choice([swapped, word[:place] + word[place + 1:], word[:place] + word[place] + word[place:]])
    return ' '.join(words)


def read_weights(file):
    """Returns the weights of an int8 model as floats. The name of a product is that of the bias that is added to it."""
    graph = onnx.load(file).graph
    values = {each.name: onnx.numpy_helper.to_array(each) for each in graph.initializer}
    users = collections.defaultdict(list)
    for node in graph.node:
        for name in node.input:
            users[name].append(node)
    weights = {name: value for name, value in values.items() if name.startswith(('bert.', 'labels.', 'kinds.')) and '_quantized' not in name}
    for name, value in values.items():
        if not name.endswith('_quantized'):
            continue
        own = name.removesuffix('_quantized')
        floats = (value.astype(np.float32) - values[own + '_zero_point']) * values[own + '_scale']
        if own.startswith('onnx::'):
            bias = find_bias(users[name][0], users, values)
            weights[bias.replace('.bias', '.weight')] = floats.T
        else:
            # The quantizer transposes the weights of the small heads.
            weights[own] = floats.T if own.startswith(('labels.', 'kinds.')) else floats
    return {name: torch.tensor(value) for name, value in weights.items() if not name.endswith(('_scale', '_zero_point'))}


def find_bias(node, users, values):
    while True:
        node = users[node.output[0]][0]
        bias = [name for name in node.input if name in values and name.endswith('.bias')]
        if node.op_type == 'Add' and bias:
            return bias[0]


class Planner(torch.nn.Module):
    """Scores every label for each token, and every kind for the question."""

    def __init__(self, base, labels, layers):
        super().__init__()
        config = BertConfig(hidden_size=384, num_hidden_layers=layers, num_attention_heads=12, intermediate_size=1536)
        self.bert = BertModel(config, add_pooling_layer=False)
        weights = read_weights(base)
        own = {name.removeprefix('bert.'): value for name, value in weights.items() if name.startswith('bert.')}
        missing, _ = self.bert.load_state_dict(own, strict=False)
        assert all('position_ids' in name for name in missing), missing
        self.dropout = torch.nn.Dropout(0.1)
        self.labels = torch.nn.Linear(config.hidden_size, len(labels))
        self.kinds = torch.nn.Linear(config.hidden_size, len(KINDS))
        before = json.loads((pathlib.Path(base).parent / 'planner.json').read_text())
        for head, names, known in ((self.labels, labels, before['labels']), (self.kinds, KINDS, before['kinds'])):
            copy_rows(head, names, known, weights, 'labels' if head is self.labels else 'kinds')

    def forward(self, input_ids, attention_mask):
        states = self.bert(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state
        mask = attention_mask.unsqueeze(-1).to(states.dtype)
        mean = (states * mask).sum(1) / mask.sum(1)
        return self.labels(self.dropout(states)), self.kinds(self.dropout(mean))


@torch.no_grad()
def copy_rows(head, names, known, weights, name):
    """Labels that the base model knows keep their weights."""
    for row, label in enumerate(names):
        if label in known:
            head.weight[row] = weights[f'{name}.weight'][known.index(label)]
            head.bias[row] = weights[f'{name}.bias'][known.index(label)]


class Batcher:
    def __init__(self, labels):
        self.tokenizer = Tokenizer.from_file(str(HERE / 'tokenizer.json'))
        self.tokenizer.no_padding()
        self.tokenizer.no_truncation()
        self.labels = {label: index for index, label in enumerate(labels)}
        self.cache = {}

    def pieces(self, unit):
        if unit not in self.cache:
            self.cache[unit] = self.tokenizer.encode(unit, add_special_tokens=False).ids or [100]
        return self.cache[unit]

    def batch(self, questions):
        rows, firsts = [], []
        for _, parts in questions:
            ids, first = [101], []
            for unit, labels in to_units(parts):
                first.append((len(ids), labels))
                ids += self.pieces(unit)
            rows.append(ids[:255] + [102])
            firsts.append([each for each in first if each[0] < 255])
        width = max(map(len, rows))
        ids = torch.tensor([row + [0] * (width - len(row)) for row in rows])
        mask = torch.tensor([[1] * len(row) + [0] * (width - len(row)) for row in rows])
        wanted = torch.zeros(len(rows), width, len(self.labels))
        counted = torch.zeros(len(rows), width)
        for row, first in enumerate(firsts):
            for place, labels in first:
                counted[row, place] = 1
                for label in labels:
                    if label in self.labels:
                        wanted[row, place, self.labels[label]] = 1
        kinds = torch.tensor([KINDS.index(kind) for kind, _ in questions])
        return [each.to(DEVICE) for each in (ids, mask, wanted, counted, kinds)]


def list_batches(by_hand, others, options, rng):
    """An epoch has each handwritten question three times and a share of the others, in batches of similar length."""
    chosen = by_hand * 3 + rng.sample(others, int(len(others) * options.share))
    rng.shuffle(chosen)
    size, batch = 20 * options.batch, options.batch
    parts = [sorted(chosen[at:at + size], key=lambda each: len(to_units(each[1]))) for at in range(0, len(chosen), size)]
    batches = [part[at:at + batch] for part in parts for at in range(0, len(part), batch)]
    rng.shuffle(batches)
    return batches


def train(by_hand, others, labels, options):
    torch.manual_seed(options.seed)
    rng = random.Random(options.seed)
    model = Planner(options.base, labels, options.layers).to(DEVICE)
    batcher = Batcher(labels)
    names = collect_names(by_hand + others)
    model.bert.embeddings.requires_grad_(options.share == 1)
    for layer in model.bert.encoder.layer[:2]:
        layer.requires_grad_(options.share == 1)
    heads = [*model.labels.parameters(), *model.kinds.parameters()]
    optimizer = torch.optim.AdamW([{'params': model.bert.parameters(), 'rate': options.rate},
                                   {'params': heads, 'rate': 10 * options.rate}], weight_decay=0.01)
    total = options.epochs * (len(list_batches(by_hand, others, options, rng)) + 1)
    step = 0
    for epoch in range(options.epochs):
        model.train()
        losses = []
        for batch in list_batches(by_hand, others, options, rng):
            varied = [(kind, vary(parts, names, rng)) for kind, parts in batch]
            ids, mask, wanted, counted, kinds = batcher.batch(varied)
            progress = step / total
            for group in optimizer.param_groups:
                group['lr'] = group['rate'] * min(1, progress / 0.1, (1 - progress) / 0.9)
            scores, kind_scores = model(ids, mask)
            each = F.binary_cross_entropy_with_logits(scores, wanted, reduction='none').sum(-1)
            loss = (each * counted).sum() / counted.sum() + 0.5 * F.cross_entropy(kind_scores, kinds)
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            losses.append(loss.item())
            step += 1
        print(f'epoch {epoch + 1} of {options.epochs}, loss {np.mean(losses):.4f}', flush=True)
    return model.eval()


@torch.no_grad()
def evaluate(name, model, labels, questions, options):
    """Prints the share of questions with the right kind, and with exactly the right labels."""
    batcher = Batcher(labels)
    right = right_kinds = 0
    for at in range(0, len(questions), 256):
        ids, mask, wanted, counted, kinds = batcher.batch(questions[at:at + 256])
        scores, kind_scores = model(ids, mask)
        found = ((scores > 0) & (counted.unsqueeze(-1) > 0)).any(1)
        same_kind = kind_scores.argmax(-1) == kinds
        right += ((found == (wanted > 0).any(1)).all(-1) & same_kind).sum().item()
        right_kinds += same_kind.sum().item()
    count = len(questions)
    print(f'{name}: kind {right_kinds / count:.3f}, kind and labels {right / count:.3f} ({count} questions)', flush=True)


def list_plain_words(questions):
    """Words that have no meaning for a plan: several questions have them without a label. Denials always have one."""
    plain, labelled = collections.Counter(), collections.Counter()
    for kind, parts in questions:
        if kind not in ('knowledge', 'other', 'order'):
            words = {(unit.lower(), bool(labels)) for unit, labels in to_units(parts)}
            plain.update(word for word, is_labelled in words if not is_labelled)
            labelled.update(word for word, is_labelled in words if is_labelled)
    known = (word for word, count in plain.items() if count >= 8 or (count >= 3 and count >= 0.3 * labelled[word]))
    return ' '.join(sorted(word for word in FOREIGN.union(known) if word.isalpha() and word not in DENIALS))


def list_label_words(questions):
    """The words of labels that name a figure, a group or a field. A word that is not among them is not understood."""
    words = collections.defaultdict(set)
    for _, parts in questions:
        for unit, labels in to_units(parts):
            for label in labels:
                if label.startswith(('by=', 'field=', 'measure=')) and unit.isalpha():
                    words[label].add(unit.lower())
    return {label: ' '.join(sorted(own)) for label, own in sorted(words.items())}


def export(model, labels, questions, out):
    """The reduced range keeps int8 products exact on x64 processors without VNNI, so x64 and arm64 agree."""
    from onnxruntime.quantization import QuantType, quantize_dynamic
    from onnxruntime.quantization.shape_inference import quant_pre_process
    out.mkdir(exist_ok=True, parents=True)
    model = model.cpu().eval()
    model.bert.set_attn_implementation('eager')
    inputs = ['input_ids', 'attention_mask']
    outputs = ['labels', 'kinds']
    axes = {name: {0: 'batch', 1: 'tokens'} for name in [*inputs, 'labels']} | {'kinds': {0: 'batch'}}
    example = tuple(torch.ones(2, 9, dtype=torch.long) for _ in inputs)
    torch.onnx.export(model, example, str(out / 'planner_float.onnx'), input_names=inputs, output_names=outputs,
                      dynamic_axes=axes, opset_version=17, dynamo=False, do_constant_folding=True)
    quant_pre_process(str(out / 'planner_float.onnx'), str(out / 'prepared.onnx'), skip_symbolic_shape=True)
    quantize_dynamic(str(out / 'prepared.onnx'), str(out / 'planner.onnx'), weight_type=QuantType.QInt8,
                     reduce_range=True, per_channel=True)
    words = {'plain': list_plain_words(questions), 'words': list_label_words(questions)}
    (out / 'planner.json').write_text(json.dumps({'kinds': KINDS, 'labels': labels, **words}, indent=1, ensure_ascii=False) + '\n')
    model.to(DEVICE)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--base', default=str(HERE / 'planner.onnx'))
    parser.add_argument('--data', type=pathlib.Path, default=HERE / 'questions')
    parser.add_argument('--test', action='append', default=[])
    parser.add_argument('--out', type=pathlib.Path, default=pathlib.Path('planner'))
    parser.add_argument('--layers', type=int, default=6)
    parser.add_argument('--share', type=float, default=1, help='Share of the older questions per epoch. Below 1, only the '
                        'upper layers are trained, which takes minutes without a GPU.')
    parser.add_argument('--epochs', type=int, default=20)
    parser.add_argument('--rate', type=float, default=2e-4)
    parser.add_argument('--batch', type=int, default=48)
    parser.add_argument('--seed', type=int, default=1)
    options = parser.parse_args()
    files = sorted(options.data.glob('*.txt'))
    by_hand = read_questions([file for file in files if file.stem.endswith('by-hand')])
    others = read_questions([file for file in files if not file.stem.endswith('by-hand')])
    questions = by_hand + others
    labels = sorted({label for _, parts in questions for _, own in parts for label in own})
    model = train(by_hand, others, labels, options)
    for file in options.test:
        evaluate(file, model, labels, read_questions([file]), options)
    export(model, labels, questions, options.out)


if __name__ == '__main__':
    main()
