"""Trains the planner of the built-in copilot, which labels the words of a question with filters.

    pip install torch transformers tokenizers safetensors onnx onnxruntime
    python model/train_planner.py --base <folder of the published model> --out <folder>

The base folder contains config.json, tokenizer.json and model.safetensors of the published encoder. model/questions/*.txt
contain one labelled question per line (see the README there). The questions of --test only measure the result.
"""
import argparse
import json
import pathlib
import random
import re

import numpy as np
import torch
import torch.nn.functional as F
from safetensors.torch import load_file
from tokenizers import Tokenizer
from transformers import BertConfig, BertModel

DEVICE = 'cuda' if torch.cuda.is_available() else 'cpu'
HERE = pathlib.Path(__file__).parent
KINDS = ['incidents', 'changes', 'requests', 'items', 'knowledge', 'record']
LABELLED = re.compile(r'\[([^\[\]]+)\]\(([^()]*)\)')
UNIT = re.compile(r'[^\W_]+|[^\w\s]|_')


def read_questions(files):
    questions = []
    for file in files:
        for line in pathlib.Path(file).read_text().splitlines():
            if line.strip() and not line.startswith('#'):
                questions.append(parse(line))
    return questions


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
POOLS = [['ci', 'depends_on', 'needed_by', 'name'], ['assigned_to', 'opened_by', 'requested_by', 'requested_for'],
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


class Planner(torch.nn.Module):
    """Scores every label for each token, and every kind for the question."""

    def __init__(self, base, labels, layers):
        super().__init__()
        config = BertConfig.from_json_file(f'{base}/config.json')
        config.num_hidden_layers = layers
        self.bert = BertModel(config, add_pooling_layer=False)
        weights = {name: value.float() if value.is_floating_point() else value
                   for name, value in load_file(f'{base}/model.safetensors').items()}
        missing, _ = self.bert.load_state_dict(weights, strict=False)
        assert all('position_ids' in name for name in missing), missing
        self.dropout = torch.nn.Dropout(0.1)
        self.labels = torch.nn.Linear(config.hidden_size, len(labels))
        self.kinds = torch.nn.Linear(config.hidden_size, len(KINDS))

    def forward(self, input_ids, attention_mask):
        states = self.bert(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state
        mask = attention_mask.unsqueeze(-1).to(states.dtype)
        mean = (states * mask).sum(1) / mask.sum(1)
        return self.labels(self.dropout(states)), self.kinds(self.dropout(mean))


class Batcher:
    def __init__(self, base, labels):
        self.tokenizer = Tokenizer.from_file(f'{base}/tokenizer.json')
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


def train(questions, labels, options, seed):
    torch.manual_seed(seed)
    rng = random.Random(seed)
    model = Planner(options.base, labels, options.layers).to(DEVICE)
    batcher = Batcher(options.base, labels)
    names = collect_names(questions)
    heads = [*model.labels.parameters(), *model.kinds.parameters()]
    optimizer = torch.optim.AdamW([{'params': model.bert.parameters(), 'rate': options.rate},
                                   {'params': heads, 'rate': 10 * options.rate}], weight_decay=0.01)
    total = options.epochs * -(-len(questions) // options.batch)
    step = 0
    for epoch in range(options.epochs):
        model.train()
        shuffled = rng.sample(questions, len(questions))
        losses = []
        for at in range(0, len(shuffled), options.batch):
            varied = [(kind, vary(parts, names, rng)) for kind, parts in shuffled[at:at + options.batch]]
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
    batcher = Batcher(options.base, labels)
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


def export(model, labels, out):
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
    (out / 'planner.json').write_text(json.dumps({'kinds': KINDS, 'labels': labels}, indent=1) + '\n')
    model.to(DEVICE)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--base', required=True)
    parser.add_argument('--data', type=pathlib.Path, default=HERE / 'questions')
    parser.add_argument('--test', action='append', default=[])
    parser.add_argument('--out', type=pathlib.Path, default=pathlib.Path('planner'))
    parser.add_argument('--layers', type=int, default=6)
    parser.add_argument('--epochs', type=int, default=30)
    parser.add_argument('--rate', type=float, default=3e-4)
    parser.add_argument('--batch', type=int, default=48)
    parser.add_argument('--seed', type=int, default=1)
    options = parser.parse_args()
    questions = read_questions(sorted(options.data.glob('*.txt')))
    labels = sorted({label for _, parts in questions for _, own in parts for label in own})
    model = train(questions, labels, options, options.seed)
    for file in options.test:
        evaluate(file, model, labels, read_questions([file]), options)
    export(model, labels, options.out)


if __name__ == '__main__':
    main()
