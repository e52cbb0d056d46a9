// Routes requests as API Gateway does: a literal segment wins over a {parameter}, which wins over {greedy+}.

import { requireValue } from '../require-value.ts';
import type { Method } from './openapi-body.ts';

interface Node {
  literals: Map<string, Node>;
  parameter: { name: string; node: Node } | undefined;
  greedy: { name: string; methods: Map<string, Method> } | undefined;
  methods: Map<string, Method>;
}

export interface Match {
  method: Method;
  /** Percent-encoded as the client sent them: a REST API does not decode them. */
  pathParameters: Record<string, string> | null;
}

export class Router {
  private readonly root = createNode();

  constructor(methods: readonly Method[]) {
    for (const method of methods) this.add(method);
  }

  match(httpMethod: string, path: string): Match | undefined {
    const segments = path.split('/').slice(1);
    const found = this.walk(this.root, segments, 0, {});
    if (!found) return undefined;
    const method = found.methods.get(httpMethod) ?? found.methods.get('ANY');
    if (!method) return undefined;
    return { method, pathParameters: Object.keys(found.parameters).length > 0 ? found.parameters : null };
  }

  private add(method: Method): void {
    let node = this.root;
    for (const segment of method.resourcePath.split('/').slice(1)) {
      const greedy = /^\{(.+)\+\}$/.exec(segment)?.[1];
      if (greedy) {
        node.greedy ??= { name: greedy, methods: new Map() };
        node.greedy.methods.set(method.httpMethod, method);
        return;
      }
      node = ensureChild(node, segment);
    }
    node.methods.set(method.httpMethod, method);
  }

  private walk(
    node: Node,
    segments: readonly string[],
    index: number,
    parameters: Record<string, string>,
  ): { methods: Map<string, Method>; parameters: Record<string, string> } | undefined {
    if (index === segments.length) return node.methods.size > 0 ? { methods: node.methods, parameters } : undefined;
    const segment = requireValue(segments[index]);
    const literal = node.literals.get(segment);
    const viaLiteral = literal && this.walk(literal, segments, index + 1, parameters);
    if (viaLiteral) return viaLiteral;
    if (node.parameter && segment !== '') {
      const { name, node: next } = node.parameter;
      const viaParameter = this.walk(next, segments, index + 1, { ...parameters, [name]: segment });
      if (viaParameter) return viaParameter;
    }
    if (!node.greedy) return undefined;
    return {
      methods: node.greedy.methods,
      parameters: { ...parameters, [node.greedy.name]: segments.slice(index).join('/') },
    };
  }
}

function ensureChild(node: Node, segment: string): Node {
  const name = /^\{(.+)\}$/.exec(segment)?.[1];
  if (name) {
    node.parameter ??= { name, node: createNode() };
    if (node.parameter.name !== name)
      throw new Error(`{${name}} and {${node.parameter.name}} cannot have the same position in a path`);
    return node.parameter.node;
  }
  const known = node.literals.get(segment);
  if (known) return known;
  const child = createNode();
  node.literals.set(segment, child);
  return child;
}

function createNode(): Node {
  return { literals: new Map(), parameter: undefined, greedy: undefined, methods: new Map() };
}
