// Follows the edges of a graph from one or several nodes, the nearest nodes first. Every node is visited once, so
// circles end; depth and number of nodes are bounded, and the walk says when a bound cut it short.

export interface Step<Node, Label> {
  node: Node;
  label: Label;
}

export interface Visit<Node, Label> extends Step<Node, Label> {
  /** Steps from the nearest start, at least 1. */
  distance: number;
  /** The node that the last step came from. */
  from: Node;
}

export interface WalkBounds {
  depth: number;
  /** How many nodes to visit, the starts not counted. */
  most: number;
}

export interface Walk<Node, Label> {
  visits: Visit<Node, Label>[];
  truncated: boolean;
}

export function walk<Node, Label>(
  starts: readonly Node[],
  stepsFrom: (node: Node) => readonly Step<Node, Label>[],
  { depth, most }: WalkBounds,
): Walk<Node, Label> {
  const seen = new Set(starts);
  const visits: Visit<Node, Label>[] = [];
  let ring: readonly Node[] = [...seen];
  for (let distance = 1; ring.length > 0; distance++) {
    const next: Node[] = [];
    for (const from of ring) {
      for (const { node, label } of stepsFrom(from)) {
        if (seen.has(node)) continue;
        if (distance > depth || visits.length === most) return { visits, truncated: true };
        seen.add(node);
        visits.push({ node, label, distance, from });
        next.push(node);
      }
    }
    ring = next;
  }
  return { visits, truncated: false };
}
