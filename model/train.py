"""Trains the encoder: it reads a text alone (a vector) or two texts together (does it answer? do both ask the same?).

    pip install torch transformers tokenizers safetensors onnx onnxruntime
    python model/train.py --base <folder of the published model> --out tuned
    python model/train.py --base <folder of the published model> --folds 5      # cross-validation, exports no model

The base folder contains config.json, tokenizer.json and model.safetensors of all-MiniLM-L6-v2. Each file in model/data is a
domain with labelled questions; model/pairs has texts that ask the same and look-alikes. Three losses train all weights:
InfoNCE of questions and passages, and two logistic losses on pairs of texts. The exported weights are the mean of three runs.
Training never uses test/eval, which calibrates and measures the ranking.
"""
import argparse
import json
import math
import pathlib
import random
import re

import numpy as np
import torch
import torch.nn.functional as F
from safetensors.torch import load_file
from tokenizers import Tokenizer
from transformers import BertConfig, BertModel

from pairs import PairSource, load_blocks, load_questions

DEVICE = 'cuda' if torch.cuda.is_available() else 'cpu'
HERE = pathlib.Path(__file__).parent
DIMENSIONS = 384
HEADS = ('answers', 'same')
WINDOW_CHARACTERS = 330


class Encoder(torch.nn.Module):
    def __init__(self, base):
        super().__init__()
        self.model = BertModel(BertConfig.from_json_file(f'{base}/config.json'), add_pooling_layer=False)
        missing, _ = self.model.load_state_dict(load_file(f'{base}/model.safetensors'), strict=False)
        assert all('position_ids' in name for name in missing), missing
        # The same start in every run, so that the mean of several runs makes sense.
        with torch.random.fork_rng():
            torch.manual_seed(1)
            self.heads = torch.nn.Linear(4 * DIMENSIONS, len(HEADS))
        self.tokenizer = Tokenizer.from_file(f'{base}/tokenizer.json')
        self.tokenizer.no_padding()
        self.to(DEVICE)

    def states(self, texts, max_tokens):
        self.tokenizer.enable_truncation(max_tokens)
        encodings = self.tokenizer.encode_batch(list(texts))
        width = max(len(encoding.ids) for encoding in encodings)
        pad = lambda rows: torch.tensor([row + [0] * (width - len(row)) for row in rows], device=DEVICE)
        kinds = pad([encoding.type_ids for encoding in encodings])
        mask = pad([[1] * len(encoding.ids) for encoding in encodings])
        ids = pad([encoding.ids for encoding in encodings])
        return self.model(input_ids=ids, attention_mask=mask, token_type_ids=kinds).last_hidden_state, mask, kinds

    def vectors(self, texts):
        """The mean of the last hidden states, normalized."""
        states, mask, _ = self.states(texts, 256)
        return F.normalize(mean_of(states, mask), dim=-1)

    def pairs(self, rows):
        """Log odds per head, from the first state, both means and their difference."""
        states, mask, kinds = self.states(rows, 128)
        one, other = mean_of(states, mask * (kinds == 0)), mean_of(states, mask * kinds)
        return self.heads(torch.cat([states[:, 0], one, other, (one - other).abs()], -1))

    @torch.no_grad()
    def embed(self, texts, size=128):
        self.eval()
        return torch.cat([self.vectors(texts[at:at + size]) for at in range(0, len(texts), size)])


def mean_of(states, mask):
    weights = mask.unsqueeze(-1).float()
    return (states * weights).sum(1) / weights.sum(1).clamp(min=1)


def load_domains(folder):
    domains = {}
    for file in sorted(pathlib.Path(folder).glob('*.jsonl')):
        articles = [json.loads(line) for line in file.read_text().splitlines() if line.strip()]
        for article in articles:
            article['paragraphs'] = split_paragraphs(article['body'])
        domains[file.stem] = articles
    return domains


def split_paragraphs(body):
    """Splits at blank lines and keeps a heading with the text below it."""
    paragraphs, heading = [], ''
    for part in re.split(r'\n\s*\n', body.strip()):
        part = part.strip()
        if part.startswith('#') and '\n' not in part:
            heading = part + '\n'
            continue
        paragraphs.append(heading + part)
        heading = ''
    return paragraphs + ([heading.strip()] if heading else [])


def split_sentences(text):
    lines = [re.sub(r'^\s*(?:[-*+]|\d{1,3}[.)])\s+', '', line).strip() for line in text.split('\n')]
    return [each for line in lines for each in re.split(r'(?<=[.!?]) (?=[A-Z0-9"\'(*`])', line) if re.search(r'\w', each)]


def to_window(sentences, center):
    """The sentence with its neighbours, as lambdas/ai/knowledge/judge-answers.ts reads it."""
    first = last = center
    size = len(sentences[center])
    while True:
        if last + 1 < len(sentences) and size + len(sentences[last + 1]) <= WINDOW_CHARACTERS:
            last += 1
            size += len(sentences[last])
        elif first > 0 and size + len(sentences[first - 1]) <= WINDOW_CHARACTERS:
            first -= 1
            size += len(sentences[first])
        else:
            return ' '.join(sentences[first:last + 1])


def to_questions(domain, articles):
    """Pairs each answerable question with its evidence and the paragraph that contains it."""
    squash = lambda text: re.sub(r'\s+', ' ', text)
    found = []
    for number, article in enumerate(articles):
        for question in article['questions']:
            if not question['answerable']:
                continue
            evidence = question['evidence']
            holding = [part for part in article['paragraphs'] if squash(evidence) in squash(part)]
            shared = lambda part: len(set(part.split()) & set(evidence.split()))
            paragraph = holding[0] if holding else max(article['paragraphs'], key=shared)
            title = article['title']
            found.append({'question': question['q'], 'paragraph': f'{title}. {paragraph}', 'domain': domain,
                          'evidence': f'{title}. {evidence}', 'article': (domain, number)})
    return found


def rank(encoder, articles):
    """Scores all passages for all questions by the mean cosine of article, passage and best sentence."""
    passages = [(number, article['title'], split_sentences(part), part)
                for number, article in enumerate(articles) for part in article['paragraphs'] if split_sentences(part)]
    asked = [(number, question) for number, article in enumerate(articles) for question in article['questions']]
    questions = encoder.embed([question['q'] for _, question in asked])
    cosines = lambda texts: (questions @ encoder.embed(texts).T).cpu().numpy()
    whole = cosines([f"{article['title']}. {article['body']}" for article in articles])
    parts = cosines([f'{title}. {part}' for _, title, _, part in passages])
    best, centers = [], []
    single = cosines([sentence for _, _, sentences, _ in passages for sentence in sentences])
    at = 0
    for _, _, sentences, _ in passages:
        own = single[:, at:at + len(sentences)]
        best.append(own.max(1))
        centers.append(own.argmax(1))
        at += len(sentences)
    owners = np.array([number for number, *_ in passages])
    return asked, passages, owners, (whole[:, owners] + parts + np.stack(best, 1)) / 3, np.stack(centers, 1)


def to_readings(encoder, articles):
    """Per question the window that answers it, if there is one, and windows that do not."""
    asked, passages, owners, scores, centers = rank(encoder, articles)
    words = lambda text: set(re.findall(r'\w+', text.lower()))
    readings = []
    for row, (number, question) in enumerate(asked):
        window = lambda place: f'{passages[place][1]}. {to_window(passages[place][2], centers[row, place])}'
        own = sorted(np.where(owners == number)[0], key=lambda place: -scores[row, place])
        others = [place for place in np.argsort(-scores[row]) if owners[place] != number][:6]
        if not question['answerable']:
            readings.append((question['q'], None, [window(place) for place in [*own[:4], *others[:2]]]))
            continue
        evidence = words(question['evidence'])
        share = lambda text: len(evidence & words(text)) / len(evidence)
        good = [place for place in own if share(window(place)) >= 0.7 and share(passages[place][3]) >= 0.9]
        bad = [place for place in own if place not in good and share(passages[place][3]) < 0.4][:2]
        if good:
            readings.append((question['q'], window(good[0]), [window(place) for place in [*others, *bad]]))
    return readings


def contrastive_loss(encoder, batch, scale=20):
    """InfoNCE in both directions. Questions of the same article are no negatives."""
    same = [[x['article'] == y['article'] and x is not y for y in batch] for x in batch]
    same = torch.tensor(same, device=DEVICE)
    target = torch.arange(len(batch), device=DEVICE)
    questions = encoder.vectors([each['question'] for each in batch])
    loss = 0
    for field, weight in (('paragraph', 1.0), ('evidence', 0.5)):
        texts = encoder.vectors([each[field] for each in batch])
        logits = (questions @ texts.T * scale).masked_fill(same, -1e4)
        loss = loss + weight * (F.cross_entropy(logits, target) + F.cross_entropy(logits.T, target)) / 2
    return loss


def pair_loss(encoder, rows, head):
    logits = encoder.pairs([(one, other) for one, other, _ in rows])[:, HEADS.index(head)]
    return F.binary_cross_entropy_with_logits(logits, torch.tensor([label for *_, label in rows], device=DEVICE))


def draw_readings(readings, rng, count):
    rows = []
    for question, good, bad in rng.sample(readings, count):
        if good:
            rows.append((question, good, 1.0))
        rows += [(question, text, 0.0) for text in rng.sample(bad, min(len(bad), 2 if good else 1))]
    return rows


def draw_pairs(source, count):
    rows = []
    for _ in range(count):
        one, other, unlike, also_unlike = source.draw(0.7)
        rows += [(one, other, 1.0), (other, one, 1.0), (one, unlike, 0.0), (also_unlike, other, 0.0)]
    return rows


def train(options, domains, seed):
    rng = random.Random(seed)
    torch.manual_seed(seed)
    encoder = Encoder(options.base)
    readings = [each for articles in domains.values() for each in to_readings(encoder, articles)]
    by_domain = [to_questions(name, articles) for name, articles in domains.items()]
    source = PairSource(load_blocks(HERE / 'pairs'), load_questions(HERE / 'data', set(domains)), seed)
    heads, others = list(encoder.heads.parameters()), list(encoder.model.parameters())
    optimizer = torch.optim.AdamW([
        {'params': [each for each in others if each.dim() > 1], 'weight_decay': 0.01, 'factor': 1},
        {'params': [each for each in others if each.dim() <= 1], 'weight_decay': 0.0, 'factor': 1},
        {'params': heads, 'weight_decay': 0.0, 'factor': 20},
    ])
    batches = []
    encoder.train()
    for step in range(options.steps):
        for group in optimizer.param_groups:
            group['lr'] = group['factor'] * options.rate * min((step + 1) / (0.1 * options.steps), 1) * (1 - step / options.steps)
        loss = pair_loss(encoder, draw_readings(readings, rng, 32), 'answers')
        loss = loss + pair_loss(encoder, draw_pairs(source, 40), 'same')
        if step % 2 == 0:
            if not batches:
                for members in by_domain:
                    rng.shuffle(members)
                    count = math.ceil(len(members) / 64)
                    batches += [members[at::count] for at in range(count)]
                rng.shuffle(batches)
            loss = loss + 2 * contrastive_loss(encoder, batches.pop())
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_([*others, *heads], 1.0)
        optimizer.step()
        print(f'step {step + 1} of {options.steps}, loss {loss.item():.3f}', flush=True)
    return encoder.eval()


def train_mean(options, domains):
    encoders = [train(options, domains, seed) for seed in range(options.runs)]
    states = [encoder.state_dict() for encoder in encoders]
    mean = {name: sum(state[name] for state in states) / len(states) if value.is_floating_point() else value
            for name, value in states[0].items()}
    encoders[0].load_state_dict(mean)
    return encoders[0]


@torch.no_grad()
def report(label, encoder, articles, weight=0.05):
    """Whether the right article is first, by vectors alone and after reading the best three."""
    asked, passages, owners, scores, centers = rank(encoder, articles)
    right, read = [], []
    for row, (number, question) in enumerate(asked):
        if not question['answerable']:
            continue
        best = {}
        for place in np.argsort(-scores[row]):
            best.setdefault(owners[place], place)
        top = list(best.values())[:3]
        rows = [(question['q'], f'{passages[place][1]}. {to_window(passages[place][2], centers[row, place])}') for place in top]
        answers = encoder.pairs(rows)[:, 0].cpu().numpy()
        right.append(owners[top[0]] == number)
        read.append(owners[top[int(np.argmax(scores[row, top] + weight * answers))]] == number)
    print(f'{label:30s} right article first: {np.mean(right):.3f} by vectors, {np.mean(read):.3f} after reading', flush=True)


class ExportedModel(torch.nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, input_ids, attention_mask, token_type_ids):
        outputs = self.model(input_ids=input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids)
        return outputs.last_hidden_state


def export(encoder, out):
    """The reduced range keeps int8 products exact on x64 processors without VNNI, so x64 and arm64 agree."""
    from onnxruntime.quantization import QuantType, quantize_dynamic
    from onnxruntime.quantization.shape_inference import quant_pre_process
    out.mkdir(exist_ok=True, parents=True)
    model = ExportedModel(encoder.model.cpu().eval())
    model.model.set_attn_implementation('eager')
    names = ['input_ids', 'attention_mask', 'token_type_ids']
    axes = {name: {0: 'batch', 1: 'tokens'} for name in [*names, 'last_hidden_state']}
    example = tuple(torch.ones(2, 9, dtype=torch.long) for _ in names)
    torch.onnx.export(model, example, str(out / 'model.onnx'), input_names=names, output_names=['last_hidden_state'],
                      dynamic_axes=axes, opset_version=17, dynamo=False, do_constant_folding=True)
    quant_pre_process(str(out / 'model.onnx'), str(out / 'prepared.onnx'), skip_symbolic_shape=True)
    quantize_dynamic(str(out / 'prepared.onnx'), str(out / 'model_quantized.onnx'), weight_type=QuantType.QInt8,
                     reduce_range=True, per_channel=True)
    weights, biases = encoder.heads.weight.tolist(), encoder.heads.bias.tolist()
    heads = {name: {'bias': round(biases[at], 5), 'weights': [round(value, 5) for value in weights[at]]}
             for at, name in enumerate(HEADS)}
    (out / 'pair-heads.json').write_text(json.dumps(heads))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--base', required=True)
    parser.add_argument('--out', type=pathlib.Path, default=pathlib.Path('tuned-model'))
    parser.add_argument('--folds', type=int, default=0)
    parser.add_argument('--steps', type=int, default=500)
    parser.add_argument('--rate', type=float, default=5e-5)
    parser.add_argument('--runs', type=int, default=3, help='number of runs to average')
    options = parser.parse_args()
    domains = load_domains(HERE / 'data')
    names = sorted(domains)
    for fold in range(options.folds):
        held_out = names[fold::options.folds]
        encoder = train_mean(options, {name: domains[name] for name in names if name not in held_out})
        for name in held_out:
            report(name, encoder, domains[name])
    if not options.folds:
        encoder = train_mean(options, domains)
        for name, articles in load_domains(HERE.parent / 'test/eval/reading').items():
            report(name, encoder, articles)
        export(encoder, options.out)


if __name__ == '__main__':
    main()
