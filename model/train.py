"""Tunes all-MiniLM-L6-v2 to the language of IT support, exports it to ONNX and quantizes it to int8.

    pip install torch transformers tokenizers safetensors onnx onnxruntime
    python model/train.py --base <folder of the published model> --out <folder>
    python model/train.py --base <folder of the published model> --folds 5      # cross-validation, exports no model

The base folder contains config.json, tokenizer.json and model.safetensors of the published model. Each file in model/data
is a domain. Cross-validation holds out whole domains. With --texts (npm run calibrate -- --texts <file>) it writes a vector
for every text, from an encoder that was trained without the domain of the text. Training never uses the articles in
test/eval/reading, which calibrate and measure the ranking.
"""
import argparse
import hashlib
import json
import math
import pathlib
import random
import re
import struct

import numpy as np
import torch
import torch.nn.functional as F
from safetensors.torch import load_file
from tokenizers import Tokenizer
from transformers import BertConfig, BertModel

MAX_TOKENS = 256
DEVICE = 'cuda' if torch.cuda.is_available() else 'cpu'
HERE = pathlib.Path(__file__).parent


class Encoder:
    """Mean of the last hidden states, normalized."""

    def __init__(self, base):
        self.model = BertModel(BertConfig.from_json_file(f'{base}/config.json'), add_pooling_layer=False)
        weights = load_file(f'{base}/model.safetensors')
        weights = {name: value.float() if value.is_floating_point() else value for name, value in weights.items()}
        missing, _ = self.model.load_state_dict(weights, strict=False)
        assert all('position_ids' in name for name in missing), missing
        self.model.to(DEVICE)
        self.tokenizer = Tokenizer.from_file(f'{base}/tokenizer.json')
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(MAX_TOKENS)

    def forward(self, texts):
        ids = [encoding.ids for encoding in self.tokenizer.encode_batch(list(texts))]
        width = max(map(len, ids))
        tokens = torch.tensor([row + [0] * (width - len(row)) for row in ids], device=DEVICE)
        mask = torch.tensor([[1] * len(row) + [0] * (width - len(row)) for row in ids], device=DEVICE)
        states = self.model(input_ids=tokens, attention_mask=mask).last_hidden_state
        mean = (states * mask.unsqueeze(-1)).sum(1) / mask.sum(1, keepdim=True)
        return F.normalize(mean, dim=-1)

    @torch.no_grad()
    def embed(self, texts, size=128):
        self.model.eval()
        return torch.cat([self.forward(texts[at:at + size]) for at in range(0, len(texts), size)])


class QuantizedEncoder:
    def __init__(self, file, tokenizer):
        import onnxruntime
        self.session = onnxruntime.InferenceSession(str(file), providers=['CPUExecutionProvider'])
        self.tokenizer = tokenizer

    def embed(self, texts):
        rows = []
        for text in texts:
            ids = np.array([self.tokenizer.encode(text).ids], dtype=np.int64)
            inputs = {'input_ids': ids, 'attention_mask': np.ones_like(ids), 'token_type_ids': np.zeros_like(ids)}
            mean = self.session.run(None, inputs)[0][0].mean(0)
            rows.append(mean / np.linalg.norm(mean))
        return torch.tensor(np.array(rows), device=DEVICE)


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


def to_pairs(domain, articles):
    """Pairs each answerable question with its evidence and the paragraph that contains it."""
    squash = lambda text: re.sub(r'\s+', ' ', text)
    pairs = []
    for number, article in enumerate(articles):
        for question in article['questions']:
            if not question['answerable']:
                continue
            evidence = question['evidence']
            holding = [part for part in article['paragraphs'] if squash(evidence) in squash(part)]
            shared = lambda part: len(set(part.split()) & set(evidence.split()))
            paragraph = holding[0] if holding else max(article['paragraphs'], key=shared)
            pairs.append({
                'question': question['q'],
                'paragraph': f"{article['title']}. {paragraph}",
                'evidence': f"{article['title']}. {evidence}",
                'article': (domain, number),
                'domain': domain,
            })
    return pairs


def train(encoder, pairs, options, seed):
    """Minimizes InfoNCE in both directions. A batch has one domain; questions of the same article are no negatives."""
    rng = random.Random(seed)
    torch.manual_seed(seed)
    parameters = list(encoder.model.parameters())
    optimizer = torch.optim.AdamW([
        {'params': [p for p in parameters if p.dim() > 1], 'weight_decay': 0.01},
        {'params': [p for p in parameters if p.dim() <= 1], 'weight_decay': 0.0},
    ])
    by_domain = {}
    for pair in pairs:
        by_domain.setdefault(pair['domain'], []).append(pair)
    total = options.epochs * sum(math.ceil(len(members) / options.batch) for members in by_domain.values())
    warm_up = 0.1 * total
    step = 0
    encoder.model.train()
    for _ in range(options.epochs):
        batches = []
        for members in by_domain.values():
            members = members[:]
            rng.shuffle(members)
            count = math.ceil(len(members) / options.batch)
            batches += [members[at::count] for at in range(count)]
        rng.shuffle(batches)
        for batch in batches:
            rate = options.rate * ((step + 1) / warm_up if step < warm_up else 1 - step / total)
            for group in optimizer.param_groups:
                group['lr'] = rate
            loss = contrastive_loss(encoder, batch)
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(parameters, 1.0)
            optimizer.step()
            step += 1
            print(f'step {step} of {total}, loss {loss.item():.3f}', flush=True)
    encoder.model.eval()


def train_average(pairs, options, seed):
    """Averages the weights of runs with different seeds."""
    states = []
    for number in range(options.runs):
        encoder = Encoder(options.base)
        train(encoder, pairs, options, seed * 100 + number)
        states.append({name: value.detach().clone() for name, value in encoder.model.state_dict().items()})
    mean = {
        name: sum(state[name] for state in states) / len(states) if value.is_floating_point() else value
        for name, value in states[0].items()
    }
    encoder.model.load_state_dict(mean)
    return encoder


def contrastive_loss(encoder, batch, scale=20):
    same = [[x['article'] == y['article'] and x is not y for y in batch] for x in batch]
    same = torch.tensor(same, device=DEVICE)
    target = torch.arange(len(batch), device=DEVICE)
    questions = encoder.forward([pair['question'] for pair in batch])
    loss = 0
    for field, weight in (('paragraph', 1.0), ('evidence', 0.5)):
        texts = encoder.forward([pair[field] for pair in batch])
        logits = (questions @ texts.T * scale).masked_fill(same, -1e4)
        loss = loss + weight * (F.cross_entropy(logits, target) + F.cross_entropy(logits.T, target)) / 2
    return loss


def evaluate(encoder, articles):
    """Returns the ranks of the right articles. An article scores as its best vector: its own or one of its paragraphs'."""
    texts, owners = [], []
    for number, article in enumerate(articles):
        for text in [article['body'], *article['paragraphs']]:
            texts.append(f"{article['title']}. {text}")
            owners.append(number)
    vectors = encoder.embed(texts)
    asked = [(number, q['q']) for number, a in enumerate(articles) for q in a['questions'] if q['answerable']]
    scores = encoder.embed([text for _, text in asked]) @ vectors.T
    best = torch.full((len(asked), len(articles)), -1.0, device=DEVICE)
    best.scatter_reduce_(1, torch.tensor(owners, device=DEVICE).expand(len(asked), -1), scores, 'amax')
    order = best.argsort(dim=1, descending=True)
    return [(order[row] == number).nonzero().item() for row, (number, _) in enumerate(asked)]


def report(label, ranks):
    ranks = np.array(ranks)
    print(f'{label:40s} R@1 {np.mean(ranks == 0):.3f}  R@3 {np.mean(ranks < 3):.3f}  ({len(ranks)} questions)', flush=True)


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
    encoder.model.to(DEVICE)


def cross_validate(domains, options):
    names = sorted(domains)
    texts = json.loads(options.texts.read_text()) if options.texts else {}
    before, after, entries = [], [], []
    for fold in range(options.folds):
        held_out = names[fold::options.folds]
        rest = [name for name in names if name not in held_out]
        encoder = train_average([pair for name in rest for pair in to_pairs(name, domains[name])], options, fold)
        published = Encoder(options.base)
        for name in held_out:
            before += evaluate(published, domains[name])
            after += evaluate(encoder, domains[name])
            vectors = encoder.embed(texts[name]).cpu().numpy() if name in texts else []
            entries += [to_entry(f'{name}\n{text}', vector) for text, vector in zip(texts.get(name, []), vectors)]
    if entries:
        options.out.mkdir(exist_ok=True, parents=True)
        content = hash_text(embedder_name()) + b''.join(sorted(entries))
        (options.out / 'held-out-vectors.bin').write_bytes(content)
    report('published, domains held out', before)
    report('tuned, domains held out', after)


def hash_text(text):
    return hashlib.sha256(text.encode()).digest()[:16]


def to_entry(text, vector):
    """Packs a vector for lambdas/ai/embedding/known-vectors.ts: hash, scale, one byte per dimension."""
    scale = float(np.abs(vector).max()) / 127
    return hash_text(text) + struct.pack('<f', scale) + np.round(vector / scale).astype(np.int8).tobytes()


def embedder_name():
    source = (HERE.parent / 'lambdas/ai/embedding/model-files.ts').read_text()
    return re.search(r"embedderName = '([^']+)'", source)[1]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--base', required=True)
    parser.add_argument('--data', default=HERE / 'data')
    parser.add_argument('--test', default=HERE.parent / 'test/eval/reading')
    parser.add_argument('--out', type=pathlib.Path, default=pathlib.Path('tuned-model'))
    parser.add_argument('--folds', type=int, default=0)
    parser.add_argument('--texts', type=pathlib.Path, help='texts by domain that need held-out vectors')
    parser.add_argument('--epochs', type=int, default=5)
    parser.add_argument('--rate', type=float, default=5e-5)
    parser.add_argument('--batch', type=int, default=64)
    parser.add_argument('--runs', type=int, default=3, help='number of runs to average')
    options = parser.parse_args()
    domains = load_domains(options.data)
    if options.folds:
        cross_validate(domains, options)
        return
    encoder = train_average([pair for name in sorted(domains) for pair in to_pairs(name, domains[name])], options, 0)
    export(encoder, options.out)
    quantized = QuantizedEncoder(options.out / 'model_quantized.onnx', encoder.tokenizer)
    for name, articles in load_domains(options.test).items():
        for label, each in (('published', Encoder(options.base)), ('tuned', encoder), ('tuned, int8', quantized)):
            report(f'{name}: {label}', evaluate(each, articles))


if __name__ == '__main__':
    main()
