import './impact-graph.css';
import dagre from '@dagrejs/dagre';
import { useState } from 'react';
import { navigate, toHref } from '../../base/router.ts';
import { ciPath, describeImpact, type Impact, statusNames, viaNames } from '../../resources/ci-words.ts';
import { formatCount } from '../../ui/count.ts';
import { Panel } from '../../ui/layouts.tsx';

interface Node {
  id: string;
  name: string;
  status: Impact['ci']['status'];
  distance: number;
  /** The node that it depends on, and how. */
  parent?: { id: string; relation: string };
}

const size = { width: 168, height: 44 };
const margin = 8;
/** Items further away are hidden until the user expands the item before them. */
const firstDistance = 2;

/** The items that depend on an item, drawn in layers from left to right. */
export function ImpactGraph({ impact }: { impact: Impact }) {
  const nodes = toNodes(impact);
  const children = (id: string) => nodes.filter(({ parent }) => parent?.id === id);
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const isOpen = ({ id, distance }: Node) => distance < firstDistance !== toggled.has(id);
  const shown = listShown(nodes, isOpen);
  const { boxes, lines, width, height } = layOut(shown);
  const toggle = (id: string) =>
    setToggled((before) => {
      const next = new Set(before);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  return (
    <Panel title="Impact graph" description={describeImpact(impact)}>
      <section className="graph" aria-label="Impact graph">
        <svg width={width} height={height}>
          <title>Items that depend on {impact.ci.name}</title>
          {lines.map(({ key, path, title }) => (
            <path key={key} d={path} className="graph-line">
              <title>{title}</title>
            </path>
          ))}
          {boxes.map(({ node, x, y }) => {
            const hidden = children(node.id).length;
            return (
              <g key={node.id} transform={`translate(${x}, ${y})`}>
                <a
                  href={toHref(ciPath(node.id))}
                  aria-label={`${node.name}, ${statusNames[node.status]}`}
                  onClick={(event) => {
                    event.preventDefault();
                    navigate(ciPath(node.id));
                  }}
                >
                  <rect {...size} rx={8} className={`graph-node graph-${node.status}`} />
                  <text x={12} y={26}>
                    {node.name.length > 18 ? `${node.name.slice(0, 17)}…` : node.name}
                  </text>
                </a>
                {node.distance === 0 && impact.open_incidents.length > 0 && (
                  <g className="graph-badge">
                    <title>{formatCount(impact.open_incidents.length, 'open incident')}</title>
                    <circle cx={size.width} cy={0} r={11} />
                    <text x={size.width} y={4} textAnchor="middle">
                      {impact.open_incidents.length}
                    </text>
                  </g>
                )}
                {hidden > 0 && (
                  <foreignObject x={size.width - 40} y={10} width={32} height={24}>
                    <button
                      type="button"
                      className="graph-toggle"
                      aria-expanded={isOpen(node)}
                      aria-label={`${isOpen(node) ? 'Collapse' : 'Expand'} ${node.name}`}
                      onClick={() => toggle(node.id)}
                    >
                      {isOpen(node) ? '–' : `+${hidden}`}
                    </button>
                  </foreignObject>
                )}
              </g>
            );
          })}
        </svg>
      </section>
    </Panel>
  );
}

function toNodes({ ci, affected }: Impact): Node[] {
  return [
    { ...ci, distance: 0 },
    ...affected.map(({ id, name, status, distance, via }) => ({
      id,
      name,
      status,
      distance,
      parent: { id: via.ci_id, relation: viaNames[via.type] },
    })),
  ];
}

/** The nodes whose predecessors are all expanded, nearest first. */
function listShown(nodes: readonly Node[], isOpen: (node: Node) => boolean): Node[] {
  const open = new Set<string>();
  return nodes.filter((node) => {
    const isShown = node.parent === undefined || open.has(node.parent.id);
    if (isShown && isOpen(node)) open.add(node.id);
    return isShown;
  });
}

function layOut(nodes: readonly Node[]) {
  const graph = new dagre.graphlib.Graph();
  graph.setGraph({ rankdir: 'LR', nodesep: 14, ranksep: 56, marginx: margin + 8, marginy: margin + 8 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { id } of nodes) graph.setNode(id, { ...size });
  for (const { id, parent } of nodes) if (parent) graph.setEdge(parent.id, id);
  dagre.layout(graph);
  const boxes = nodes.map((node) => {
    const { x, y } = graph.node(node.id);
    return { node, x: x - size.width / 2, y: y - size.height / 2 };
  });
  const byId = new Map(boxes.map((box) => [box.node.id, box]));
  const lines = boxes.flatMap(({ node, x, y }) => {
    const from = node.parent && byId.get(node.parent.id);
    if (!from) return [];
    const [startX, startY, endY] = [from.x + size.width, from.y + size.height / 2, y + size.height / 2];
    const middle = (startX + x) / 2;
    return {
      key: node.id,
      path: `M${startX} ${startY} C${middle} ${startY} ${middle} ${endY} ${x} ${endY}`,
      title: `${node.name}: ${node.parent?.relation.toLowerCase()} ${from.node.name}`,
    };
  });
  const { width = 0, height = 0 } = graph.graph();
  return { boxes, lines, width: width + margin, height: height + margin };
}
